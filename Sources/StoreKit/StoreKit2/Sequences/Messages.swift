extension Message {
    /// A sequence of the App Store's messages for the user.
    public struct Messages: AsyncSequence, Sendable {
        /// The type of the elements in the sequence.
        public typealias Element = Message

        /// An iterator over the messages of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: ElementSource<Element>.Iterator

            /// Returns the next message, or nil when the sequence has ended.
            public mutating func next() async -> Message? {
                await base.next()
            }

            /// Returns the next message on the caller's actor, or nil when the sequence has ended.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
                await base.next(isolation: actor)
            }
        }

        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            self.source = source
        }

        /// Creates an iterator over the messages of the sequence.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: source.makeIterator())
        }
    }
}
