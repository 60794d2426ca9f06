extension PurchaseIntent {
    /// A sequence of the purchases that the user began outside the app.
    public struct PurchaseIntents: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = PurchaseIntent

        /// Iterates over the elements.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// The next element; nil at the end.
            public mutating func next() async -> PurchaseIntent? {
                await base.next()
            }

            /// The next element, fetched on the caller's actor; nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> PurchaseIntent? {
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
