import Foundation
import NIOCore
import PurchaseModel

/// What happens in a store from some event on, without end, as the text of server-sent events.
struct EventStream: AsyncSequence, Sendable {
    let ledger: StoreLedger
    let after: Int64
    let account: AccountID?
    var bundleID: BundleID?

    /// How many events are read at once.
    static let pageLimit = 1_000

    func makeAsyncIterator() -> Iterator {
        // Watched before the first look, so that nothing is missed between the two.
        Iterator(stream: self, news: ledger.news.stream().makeAsyncIterator(), seen: after)
    }

    struct Iterator: AsyncIteratorProtocol {
        let stream: EventStream
        var news: AsyncStream<Int64>.Iterator
        var seen: Int64
        private var isOpened = false

        init(stream: EventStream, news: AsyncStream<Int64>.Iterator, seen: Int64) {
            self.stream = stream
            self.news = news
            self.seen = seen
        }

        mutating func next() async throws -> ByteBuffer? {
            guard isOpened else {
                isOpened = true
                return ByteBuffer(string: ": what happens in the store\n\n")
            }
            while true {
                let events = try await stream.ledger.events(after: seen, account: stream.account, in: stream.bundleID, limit: pageLimit)
                if let last = events.last {
                    seen = last.id
                    return try Self.text(events)
                }
                guard await news.next(isolation: #isolation) != nil else { return nil }
            }
        }

        private static func text(_ events: [StoreEvent]) throws -> ByteBuffer {
            var text = ByteBuffer()
            for event in events {
                text.writeString("id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: ")
                text.writeBytes(try WireJSON.encode(event))
                text.writeString("\n\n")
            }
            return text
        }
    }
}
