extension AppTransaction {
    /// A sequence of app transactions with their verification results.
    public struct AppTransactions: AsyncSequence, Sendable {
        /// The type of the elements in the sequence.
        public typealias Element = VerificationResult<AppTransaction>

        /// An iterator over the app transactions of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// Returns the next app transaction, or nil when the sequence has ended.
            public mutating func next() async -> VerificationResult<AppTransaction>? {
                await base.next()
            }

            /// Returns the next app transaction on the caller's actor, or nil when the sequence has ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> VerificationResult<AppTransaction>? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator over the app transactions of the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
