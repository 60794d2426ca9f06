import Foundation
import FoundationExtras
package import WireClient

/// The elements of a store's stream as an endless sequence, which continues after a broken connection without losing elements.
package struct ServerSentEvents<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let id: @Sendable (Element) -> Int64
    private let begin: @Sendable () async throws -> (elements: [Element], query: [String: String])
    private let open: @Sendable ([String: String]) async throws -> WireBytes
    private let invalid: @Sendable () -> any Error

    /// Creates the sequence; no request is sent before an element is read.
    ///
    /// - Parameters:
    ///   - id: Returns the number of an element, after which the next connection continues.
    ///   - begin: Returns the first elements, oldest first, and the query of the first connection. It is called once for each iterator.
    ///   - open: Opens a connection with a query, in which `after` is the number of the last received element.
    ///   - invalid: Returns the error to throw for an element that can't be decoded.
    package init(
        id: @escaping @Sendable (Element) -> Int64,
        begin: @escaping @Sendable () async throws -> (elements: [Element], query: [String: String]),
        open: @escaping @Sendable ([String: String]) async throws -> WireBytes,
        invalid: @escaping @Sendable () -> any Error
    ) {
        self.id = id
        self.begin = begin
        self.open = open
        self.invalid = invalid
    }

    /// Returns an iterator that begins with the first request.
    package func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    /// An iterator over the elements of a store's stream.
    package struct Iterator: AsyncIteratorProtocol {
        private let stream: ServerSentEvents
        /// The query of the next connection; nil before the first element is read.
        private var query: [String: String]?
        private var bytes: WireBytes.Iterator?
        private var decoder = EventStreamDecoder()
        /// The received elements, newest first.
        private var received: [Element] = []

        fileprivate init(_ stream: ServerSentEvents) {
            self.stream = stream
        }

        /// Waits for the next element and returns it.
        ///
        /// - Throws: An error of the sequence's closures, or `CancellationError`.
        package mutating func next() async throws -> Element? {
            while true {
                try Task.checkCancellation()
                if let element = received.popLast() {
                    self.query?["after"] = "\(stream.id(element))"
                    return element
                }
                guard let query else {
                    let beginning = try await stream.begin()
                    self.query = beginning.query
                    received = beginning.elements.reversed()
                    continue
                }
                if bytes == nil {
                    bytes = try await stream.open(query).makeAsyncIterator()
                    decoder = EventStreamDecoder()
                }
                // The client closes a connection on which no data arrives for a minute, and opens a new one.
                guard let part = (try? await bytes?.next()).flatMap({ $0 }), let lines = decoder.decode(part) else {
                    bytes = nil
                    // The pause limits the rate of requests to a store that accepts connections and closes them at once.
                    try await Task.sleep(for: .milliseconds(200))
                    continue
                }
                do { received = try lines.map { try WireJSON.decode(Element.self, from: $0) }.reversed() } catch { throw stream.invalid() }
            }
        }
    }
}
