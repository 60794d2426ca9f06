/// An endless sequence of a store's events or requests, as they occur.
///
/// The sequence continues without a loss after a broken connection. Each iterator has a connection of its own, which ends with the iterator.
public struct StoreStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The error of the sequence.
    public typealias Failure = StoreControlError

    private let elements: ServerSentEvents<Element>

    init(_ elements: ServerSentEvents<Element>) {
        self.elements = elements
    }

    /// Returns an iterator that begins at the position of the sequence.
    public func makeAsyncIterator() -> Iterator {
        Iterator(elements.makeAsyncIterator())
    }

    /// An iterator over a store's events or requests.
    public struct Iterator: AsyncIteratorProtocol {
        /// The error of the sequence.
        public typealias Failure = StoreControlError

        private var elements: ServerSentEvents<Element>.Iterator

        fileprivate init(_ elements: ServerSentEvents<Element>.Iterator) {
            self.elements = elements
        }

        /// Waits for the next element and returns it; never returns nil.
        ///
        /// - Throws: ``StoreControlError/unreachable(_:)`` if the store can't be reached,
        ///   ``StoreControlError/refused(status:code:message:)`` if the store refuses the request,
        ///   ``StoreControlError/invalidResponse(_:status:)`` for an element of another version of the store, or
        ///   ``StoreControlError/canceled`` if the task is canceled.
        public mutating func next() async throws(StoreControlError) -> Element? {
            do {
                return try await elements.next()
            } catch let error as StoreControlError {
                throw error
            } catch {
                throw .canceled
            }
        }
    }
}
