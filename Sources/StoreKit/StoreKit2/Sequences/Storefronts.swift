extension Storefront {
    /// A sequence of storefronts, with the new storefront for each change of the account's storefront.
    public struct Storefronts: AsyncSequence, Sendable {
        /// The type of the elements in the sequence.
        public typealias Element = Storefront

        /// An iterator over the storefronts of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// Returns the next storefront, or nil when the sequence has ended.
            public mutating func next() async -> Storefront? {
                await base.next()
            }

            /// Returns the next storefront on the caller's actor, or nil when the sequence has ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Storefront? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator over the storefronts of the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
