extension Storefront {
    /// The storefronts that the account changes to.
    public struct Storefronts: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = Storefront

        /// Takes one after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var base: Supply<Element>.Iterator

            /// The next one; nil at the end.
            public mutating func next() async -> Storefront? {
                await base.next()
            }

            /// The next one, for a loop on an actor, which it does not leave; nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Storefront? {
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
