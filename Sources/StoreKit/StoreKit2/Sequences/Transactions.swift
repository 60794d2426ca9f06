extension Transaction {
    /// A sequence of transactions with their verification results.
    public struct Transactions: AsyncSequence, Sendable {
        /// The type of the elements in the sequence.
        public typealias Element = VerificationResult<Transaction>

        /// An iterator over the transactions of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// Returns the next transaction, or nil when the sequence has ended.
            public mutating func next() async -> VerificationResult<Transaction>? {
                await base.next()
            }

            /// Returns the next transaction on the caller's actor, or nil when the sequence has ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> VerificationResult<Transaction>? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator over the transactions of the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
