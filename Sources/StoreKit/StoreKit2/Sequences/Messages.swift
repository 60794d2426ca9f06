extension Message {
    /// The store's messages for the user.
    public struct Messages: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Message

        /// Takes one after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: Supply<Element>.Iterator

            /// The next one; nil at the end.
            public mutating func next() async -> Message? {
                await base.next()
            }

            /// The next one, for a loop on an actor, which it does not leave; nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
                await base.next(isolation: actor)
            }
        }

        private let supply: Supply<Element>

        init(_ supply: Supply<Element>) {
            self.supply = supply
        }

        /// Starts from the beginning.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: supply.makeIterator())
        }
    }
}
