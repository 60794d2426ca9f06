import ArgumentParser
import AsyncHTTPClient
import Foundation
import PurchaseModel
import PurchaseProtocol
import WireClient

/// A store's event stream, without end and without gaps: after a broken connection it resumes after the last event.
struct EventFeed: AsyncSequence {
    let store: StoreClient
    /// The query of the request; `after` advances with each event.
    let query: [String: String]

    func makeAsyncIterator() -> Iterator {
        Iterator(store: store, query: query)
    }

    struct Iterator: AsyncIteratorProtocol {
        let store: StoreClient
        var query: [String: String]
        private var bytes: WireBytes.Iterator?
        private var decoder = EventStreamDecoder()
        private var received: [StoreEvent] = []

        init(store: StoreClient, query: [String: String]) {
            self.store = store
            self.query = query
        }

        /// The next event.
        ///
        /// - Throws: An exit code, after a message on standard error, if the store is unreachable.
        mutating func next() async throws -> StoreEvent? {
            while true {
                try Task.checkCancellation()
                if let event = received.popLast() {
                    query["after"] = "\(event.id)"
                    return event
                }
                if bytes == nil {
                    bytes = WireBytes(try await open()).makeAsyncIterator()
                    decoder = EventStreamDecoder()
                }
                // The client closes a connection without data for a minute, and opens a new one.
                guard let part = (try? await bytes?.next()).flatMap({ $0 }), let lines = decoder.decode(part) else {
                    bytes = nil
                    // The pause limits the rate of requests to a store that accepts connections and closes them at once.
                    try await Task.sleep(for: .milliseconds(200))
                    continue
                }
                received = lines.compactMap { try? WireJSON.decode(StoreEvent.self, from: $0) }.reversed()
            }
        }

        private func open() async throws -> HTTPClientResponse {
            do throws(WireClientError) { return try await store.open(HostEndpoints.eventStreamPath, query: query) } catch {
                throw store.tell(error)
            }
        }
    }
}
