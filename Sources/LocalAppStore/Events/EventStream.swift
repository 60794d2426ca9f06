import Foundation
import FoundationExtras
import NIOCore
import PurchaseModel
import StoreProtocol

/// A store's events after a given event, encoded as server-sent events; the sequence ends only when its reader stops.
///
/// A slow client delays only its own connection. A client that reconnects sends the identifier of the last event that it received.
struct EventStream: AsyncSequence, Sendable {
    let events: EventService
    let after: Int64
    let account: AccountID?
    var bundleID: BundleID?
    /// Returns whether the reader may still read, before each page; nil for a reader who always may.
    var isAllowed: (@Sendable () async throws -> Bool)?
    /// The time after which a stream without events of its own sends a comment at the store's next event.
    ///
    /// A server notices that a client has ended without closing the stream only when it writes.
    var heartbeat = Duration.seconds(15)

    /// The maximum number of events that a response with a list of events contains.
    static let pageLimit = 1_000
    /// The maximum number of events in one query of the database, and the maximum number of bytes that a stream takes from memory at once.
    private static let batchLimit = 200
    private static let batchBytes = 64 << 10

    func makeAsyncIterator() -> Iterator {
        // The iterator subscribes to new events before its first read, so that it misses no event between the two.
        Iterator(stream: self, changes: events.context.eventBroadcast.stream().makeAsyncIterator(), lastEventID: after)
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

    private func isIncluded(_ event: StoreEvent) -> Bool {
        (account == nil || event.account == account) && (bundleID == nil || event.bundleID == bundleID)
    }

    /// Returns the next events of the stream, from memory or from the database; the text is empty if there are no new events.
    private func batch(after lastEventID: Int64) async throws -> EventBroadcast.RecentEvents {
        let broadcast = events.context.eventBroadcast
        if let recent = try broadcast.recent(after: lastEventID, limit: Self.batchBytes, where: isIncluded) { return recent }
        if let wait = broadcast.reservePageRead() { try await Task.sleep(for: wait) }
        // Every event that was broadcast is committed. If the query returns fewer events than its limit, the stream therefore has all
        // events up to the newest one.
        let newest = broadcast.newest
        let events = try await self.events.events(after: lastEventID, account: account, in: bundleID, limit: Self.batchLimit)
        let last = events.last?.id ?? lastEventID
        return EventBroadcast.RecentEvents(
            text: try Self.text(events), lastEventID: events.count < Self.batchLimit ? Swift.max(last, newest) : last)
    }

    struct Iterator: AsyncIteratorProtocol {
        let stream: EventStream
        var changes: AsyncStream<Void>.Iterator
        var lastEventID: Int64
        private var hasSentComment = false
        private var hasSentEvents = false
        private var lastSent = ContinuousClock.now

        init(stream: EventStream, changes: AsyncStream<Void>.Iterator, lastEventID: Int64) {
            self.stream = stream
            self.changes = changes
            self.lastEventID = lastEventID
        }

        mutating func next() async throws -> ByteBuffer? {
            guard hasSentComment else {
                hasSentComment = true
                return ByteBuffer(string: ": events of the store\n\n")
            }
            let broadcast = stream.events.context.eventBroadcast
            if hasSentEvents, let throttleDelay = broadcast.throttleDelay { try await Task.sleep(for: throttleDelay) }
            hasSentEvents = true
            while true {
                let batch = try await stream.batch(after: lastEventID)
                if batch.text.readableBytes > 0, let isAllowed = stream.isAllowed, try await !isAllowed() { return nil }
                lastEventID = batch.lastEventID
                if batch.text.readableBytes > 0 {
                    lastSent = .now
                    return batch.text
                }
                guard await changes.next(isolation: #isolation) != nil else { return nil }
                guard lastSent.duration(to: .now) < stream.heartbeat else {
                    lastSent = .now
                    return ByteBuffer(string: ": no events\n\n")
                }
            }
        }
    }
}
