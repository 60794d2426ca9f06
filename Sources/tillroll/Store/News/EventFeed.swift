import ArgumentParser
import AsyncHTTPClient
import Foundation
import PurchaseModel
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
        private var lines: WireLines.Iterator?

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
                if lines == nil { lines = WireLines(try await open()).makeAsyncIterator() }
                // A connection on which nothing came for a while is given up by the client, and made anew.
                guard let line = (try? await lines?.next()).flatMap({ $0 }) else {
                    lines = nil
                    // A store that takes connections and ends them at once is not asked without end.
                    try await Task.sleep(for: .milliseconds(200))
                    continue
                }
                guard line.hasPrefix("data: "), let event = try? WireJSON.decode(StoreEvent.self, from: Data(line.dropFirst(6).utf8))
                else { continue }
                query["after"] = "\(event.id)"
                return event
            }
        }

        private func open() async throws -> HTTPClientResponse {
            do throws(WireClientError) { return try await store.open(HostEndpoints.eventStreamPath, query: query) } catch {
                throw store.tell(error)
            }
        }
    }
}
