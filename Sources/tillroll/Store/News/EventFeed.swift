import ArgumentParser
import AsyncHTTPClient
import Foundation
import PurchaseModel
import PurchaseProtocol
import WireClient

/// What happens in a store, without end and without gaps: after a broken connection it goes on behind the last event.
struct EventFeed: AsyncSequence {
    let store: StoreClient
    /// What is asked for; `after` moves on.
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
        /// - Throws: An exit code, after a sentence, when the store is gone.
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
                // A connection without data for a minute is closed by the client, and opened again.
                guard let part = (try? await bytes?.next()).flatMap({ $0 }), let lines = decoder.decode(part) else {
                    bytes = nil
                    // A store that takes connections and ends them at once is not asked without end.
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
