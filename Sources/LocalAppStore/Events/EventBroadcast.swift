import DequeModule
import NIOCore
import PurchaseModel
import StoreProtocol
import Synchronization

/// A broadcaster that distributes a store's new events to its event streams.
///
/// The newest events are kept in memory and are encoded once for all streams; older events are in the database.
final class EventBroadcast: Sendable {
    /// The maximum number of newest events that are kept in memory.
    static let capacity = 1_000
    /// The maximum number of times per second that all streams together send events.
    private static let wakeUpsPerSecond = 1_000
    /// The interval between two database queries for older events if there are many streams.
    private static let pageInterval = Duration.milliseconds(100)
    /// The maximum time for which a stream waits before it queries the database for older events.
    private static let longestDelay = Duration.seconds(10)

    /// The events that are encoded for one stream, from memory or from the database.
    struct RecentEvents: Sendable {
        /// The events that match the stream's filter, encoded as server-sent events.
        var text: ByteBuffer
        /// The identifier of the last event that was compared with the stream's filter, at which the stream continues.
        var lastEventID: Int64
    }

    private struct Item {
        let event: StoreEvent
        var text: ByteBuffer?
    }

    private struct State {
        /// The events of the running database transaction.
        var inserted: [StoreEvent] = []
        var items: Deque<Item> = []
        /// The identifier of the newest event that is no longer in memory; nil until the first event is broadcast.
        var before: Int64?
        var next = 0
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
        /// The time before which no further stream may query the database for older events.
        var nextPage = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// The identifier of the newest event that was broadcast; 0 if there was none since the store was opened.
    var newest: Int64 { state.withLock { $0.items.last?.event.id ?? 0 } }

    /// The time that a stream waits before it sends more events, so that many streams do not slow down the store.
    ///
    /// The value is nil if there are few streams, which receive events without a delay.
    var throttleDelay: Duration? {
        let count = state.withLock { $0.subscribers.count }
        return count < 50 ? nil : .seconds(Double(count) / Double(Self.wakeUpsPerSecond))
    }

    /// Returns the time that a stream must wait before it queries the database for older events; nil if it need not wait.
    ///
    /// If many streams begin at the same time, they query the database in turns, so that most of the time remains for purchases.
    func reservePageRead() -> Duration? {
        state.withLock { state in
            guard state.subscribers.count >= 50 else { return nil }
            let now = ContinuousClock.now
            let slot = max(now, state.nextPage)
            // A stream that ends does not give back its turn; the upper limit bounds the wait that such turns cause.
            state.nextPage = min(slot + Self.pageInterval, now + Self.longestDelay)
            return slot - now
        }
    }

    /// Keeps an event of the running database transaction until the transaction ends.
    func insert(_ event: StoreEvent) {
        state.withLock { $0.inserted.append(event) }
    }

    /// Discards the events of a database transaction that was rolled back.
    func discardInserted() {
        state.withLock { $0.inserted.removeAll() }
    }

    /// Broadcasts the events of a database transaction to all streams, after the commit.
    func publishInserted() {
        let subscribers: [AsyncStream<Void>.Continuation] = state.withLock { state in
            guard let first = state.inserted.first else { return [] }
            if state.before == nil { state.before = first.id - 1 }
            state.items += state.inserted.map { Item(event: $0) }
            state.inserted.removeAll(keepingCapacity: true)
            let removed = state.items.count - Self.capacity
            if removed > 0 {
                state.before = state.items[removed - 1].event.id
                state.items.removeFirst(removed)
            }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield() }
    }

    /// Returns the events in memory after `lastEventID` that match `isIncluded`.
    ///
    /// The result is nil if some events after `lastEventID` are no longer in memory.
    ///
    /// - Parameter limit: The size of the encoded events in bytes after which the result ends; another call returns the following events.
    func recent(after lastEventID: Int64, limit: Int, where isIncluded: (StoreEvent) -> Bool) throws -> RecentEvents? {
        try state.withLock { state in
            guard let before = state.before, before <= lastEventID else { return nil }
            var recent = RecentEvents(text: ByteBuffer(), lastEventID: lastEventID)
            // The search begins at the newest event, because most streams request only the newest events.
            var index = state.items.endIndex
            while index > state.items.startIndex, state.items[index - 1].event.id > lastEventID { index -= 1 }
            while index < state.items.endIndex, recent.text.readableBytes < limit {
                if isIncluded(state.items[index].event) {
                    let text = try state.items[index].text ?? EventStream.text([state.items[index].event])
                    state.items[index].text = text
                    recent.text.writeImmutableBuffer(text)
                }
                recent.lastEventID = state.items[index].event.id
                index += 1
            }
            return recent
        }
    }

    /// Returns a sequence that has an element each time that new events are broadcast; several simultaneous events produce one element.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.next += 1
            state.subscribers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }
}
