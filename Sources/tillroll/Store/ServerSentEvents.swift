import AsyncHTTPClient
import Foundation
import FoundationExtras
import StoreProtocol
import Wire
import WireClient

/// The elements of a store's stream as an endless sequence, which continues after a broken connection without losing elements.
struct ServerSentEvents<Element: Decodable & Sendable>: AsyncSequence {
    let store: StoreClient
    let path: String
    /// The query of the first request; later requests continue after the last received event.
    let query: [String: String]
    /// The number of an element, after which the next request continues.
    let id: @Sendable (Element) -> Int64

    func makeAsyncIterator() -> Iterator {
        Iterator(store: store, path: path, query: query, id: id)
    }

    struct Iterator: AsyncIteratorProtocol {
        let store: StoreClient
        let path: String
        var query: [String: String]
        let id: @Sendable (Element) -> Int64
        private var bytes: WireBytes.Iterator?
        private var decoder = EventStreamDecoder()
        private var received: [Element] = []

        init(store: StoreClient, path: String, query: [String: String], id: @escaping @Sendable (Element) -> Int64) {
            (self.store, self.path, self.query, self.id) = (store, path, query, id)
        }

        /// Waits for the next element and returns it.
        ///
        /// - Throws: `ExitCode`, after a message on standard error, if the store is unreachable or refuses the request.
        mutating func next() async throws -> Element? {
            while true {
                try Task.checkCancellation()
                if let element = received.popLast() {
                    query["after"] = "\(id(element))"
                    return element
                }
                if bytes == nil {
                    bytes = WireBytes(try await open()).makeAsyncIterator()
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

        private func open() async throws -> HTTPClientResponse {
            do throws(WireClientError) { return try await store.open(path, query: query) } catch {
                throw store.report(error)
            }
        }
    }
}

extension StoreClient {
    /// Follows the store's events.
    ///
    /// - Parameter query: The query of the first request; later requests continue after the last received event.
    func followEvents(_ query: [String: String]) -> ServerSentEvents<StoreEvent> {
        ServerSentEvents(store: self, path: HostEndpoints.eventStreamPath, query: query, id: \.id)
    }
}
