extension Product.SubscriptionInfo.Status {
    /// A sequence of subscription statuses, with a new status for each change.
    public struct Statuses: AsyncSequence, Sendable {
        /// The type of the elements in the sequence.
        public typealias Element = Product.SubscriptionInfo.Status

        /// An iterator over the statuses of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// Returns the next status, or nil when the sequence has ended.
            public mutating func next() async -> Product.SubscriptionInfo.Status? {
                await base.next()
            }

            /// Returns the next status on the caller's actor, or nil when the sequence has ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Product.SubscriptionInfo.Status? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator over the statuses of the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
