import Foundation
import FoundationExtras
package import Wire
package import WireClient

/// The elements of a store's stream as an endless sequence, which continues after a broken connection without losing elements.
package struct ServerSentEvents<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let wire: WireClient
    private let token: String?
    private let path: String
    private let query: [String: String]
    private let id: @Sendable (Element) -> Int64
    private let failure: @Sendable (WireClientError) -> any Error

    /// Creates the sequence; no request is sent before an element is read.
    ///
    /// - Parameters:
    ///   - wire: The client of the store.
    ///   - token: The token that the store requires; nil for none.
    ///   - path: The path of the stream.
    ///   - query: The query of the first request; later requests continue after the last received element.
    ///   - id: Returns the number of an element, after which the next request continues.
    ///   - failure: Returns the error to throw if the store is unreachable or refuses the request.
    package init(
        _ wire: WireClient, token: String?, path: String, query: [String: String], id: @escaping @Sendable (Element) -> Int64,
        failure: @escaping @Sendable (WireClientError) -> any Error
    ) {
        self.wire = wire
        self.token = token
        self.path = path
        self.query = query
        self.id = id
        self.failure = failure
    }

    /// Returns an iterator that begins with the first request.
    package func makeAsyncIterator() -> Iterator {
        Iterator(self, query)
    }

    /// An iterator over the elements of a store's stream.
    package struct Iterator: AsyncIteratorProtocol {
        private let stream: ServerSentEvents
        private var query: [String: String]
        private var bytes: WireBytes.Iterator?
        private var decoder = EventStreamDecoder()
        private var received: [Element] = []

        fileprivate init(_ stream: ServerSentEvents, _ query: [String: String]) {
            (self.stream, self.query) = (stream, query)
        }

        /// Waits for the next element and returns it.
        ///
        /// - Throws: The error of the sequence's closure if the store is unreachable or refuses the request, or `CancellationError`.
        package mutating func next() async throws -> Element? {
            while true {
                try Task.checkCancellation()
                if let element = received.popLast() {
                    query["after"] = "\(stream.id(element))"
                    return element
                }
                if bytes == nil {
                    bytes = try await open().makeAsyncIterator()
                    decoder = EventStreamDecoder()
                }
                // The client closes a connection on which no data arrives for a minute, and opens a new one.
                guard let part = (try? await bytes?.next()).flatMap({ $0 }), let lines = decoder.decode(part) else {
                    bytes = nil
                    // The pause limits the rate of requests to a store that accepts connections and closes them at once.
                    try await Task.sleep(for: .milliseconds(200))
                    continue
                }
                received = lines.compactMap { try? WireJSON.decode(Element.self, from: $0) }.reversed()
            }
        }

        private func open() async throws -> WireBytes {
            do throws(WireClientError) {
                return try await stream.wire.bytes("GET", stream.path + PathTemplate.query(query), token: stream.token)
            } catch {
                throw stream.failure(error)
            }
        }
    }
}
