import Foundation
import NIOCore
import PurchaseModel
import PurchaseProtocol

/// What happens in a store from some event on, without end, as the text of server-sent events.
///
/// A reader that lags costs nothing but its connection, which ends when the reader takes nothing at all; it can come back with the last
/// event that it saw.
struct EventStream: AsyncSequence, Sendable {
    let ledger: StoreLedger
    let after: Int64
    let account: AccountID?
    var bundleID: BundleID?

    /// How many events are read at once.
    static let pageLimit = 1_000
    /// How many of them are in memory for one reader, and how many bytes.
    private static let batchLimit = 200
    private static let batchBytes = 64 << 10

    func makeAsyncIterator() -> Iterator {
        // Watched before the first look, so that nothing is missed between the two.
        Iterator(stream: self, news: ledger.news.stream().makeAsyncIterator(), seen: after)
    }

    /// Events as text.
    static func text(_ events: [StoreEvent]) throws -> ByteBuffer {
        var text = ByteBuffer()
        for event in events {
            text.writeString("id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: ")
            text.writeBytes(try WireJSON.encode(event))
            text.writeString("\n\n")
        }
        return text
    }

    private func isWanted(_ event: StoreEvent) -> Bool {
        (account == nil || event.account == account) && (bundleID == nil || event.bundleID == bundleID)
    }

    /// The next part, and the last event that was looked at for it.
    private func part(after seen: Int64) async throws -> EventBroadcast.Recent {
        if let recent = try ledger.news.recent(after: seen, limit: Self.batchBytes, where: isWanted) { return recent }
        if let wait = ledger.news.waitForPage() { try await Task.sleep(for: wait) }
        // What is told by now is kept by now, so a page that is not full has all of it.
        let newest = ledger.news.newest
        let events = try await ledger.events(after: seen, account: account, in: bundleID, limit: Self.batchLimit)
        let last = events.last?.id ?? seen
        return EventBroadcast.Recent(text: try Self.text(events), seen: events.count < Self.batchLimit ? Swift.max(last, newest) : last)
    }

    struct Iterator: AsyncIteratorProtocol {
        let stream: EventStream
        var news: AsyncStream<Void>.Iterator
        var seen: Int64
        private var isOpened = false
        private var hasTold = false

        init(stream: EventStream, news: AsyncStream<Void>.Iterator, seen: Int64) {
            self.stream = stream
            self.news = news
            self.seen = seen
        }

        mutating func next() async throws -> ByteBuffer? {
            guard isOpened else {
                isOpened = true
                return ByteBuffer(string: ": what happens in the store\n\n")
            }
            if hasTold, let pause = stream.ledger.news.pause { try await Task.sleep(for: pause) }
            hasTold = true
            while true {
                let part = try await stream.part(after: seen)
                seen = part.seen
                if part.text.readableBytes > 0 { return part.text }
                guard await news.next(isolation: #isolation) != nil else { return nil }
            }
        }
    }
}
