extension PurchaseIntent {
    /// A sequence of purchase intents: purchases that the user began outside the app.
    public struct PurchaseIntents: AsyncSequence, Sendable {
        /// The type of the elements in the sequence.
        public typealias Element = PurchaseIntent

        /// An iterator over the purchase intents of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// Returns the next purchase intent, or nil when the sequence has ended.
            public mutating func next() async -> PurchaseIntent? {
                await base.next()
            }

            /// Returns the next purchase intent on the caller's actor, or nil when the sequence has ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> PurchaseIntent? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator over the purchase intents of the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
