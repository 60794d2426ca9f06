extension Storefront {
    /// A sequence of the storefronts to which the account changes.
    public struct Storefronts: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Storefront

        /// Iterates over the elements.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// The next element; nil at the end.
            public mutating func next() async -> Storefront? {
                await base.next()
            }

            /// The next element, fetched on the caller's actor; nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Storefront? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator, which starts from the beginning.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
