import Foundation
import NIOCore
import PurchaseModel
import PurchaseProtocol

/// A store's events after a given event, without end, encoded as server-sent events.
///
/// A slow reader delays only its own connection, which ends if the reader stops reading. A reader can reconnect with the identifier of
/// the
/// last event that it received.
struct EventStream: AsyncSequence, Sendable {
    let ledger: StoreLedger
    let after: Int64
    let account: AccountID?
    var bundleID: BundleID?

    /// The maximum number of events that a stream reads at once.
    static let pageLimit = 1_000
    /// The maximum number of events in memory for one reader, and the maximum number of bytes.
    private static let batchLimit = 200
    private static let batchBytes = 64 << 10

    func makeAsyncIterator() -> Iterator {
        // The iterator subscribes before its first read, so that no event is missed between the two.
        Iterator(stream: self, news: ledger.news.stream().makeAsyncIterator(), seen: after)
    }

    /// Encodes events as server-sent events.
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

    /// The next part of the stream, with the identifier of the last event that was examined.
    private func part(after seen: Int64) async throws -> EventBroadcast.Recent {
        if let recent = try ledger.news.recent(after: seen, limit: Self.batchBytes, where: isWanted) { return recent }
        if let wait = ledger.news.waitForPage() { try await Task.sleep(for: wait) }
        // Every event that was broadcast is committed, so a page that is not full is complete.
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
