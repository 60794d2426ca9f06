import NIOCore
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// Distributes events to the event streams of a store.
///
/// The newest events are in memory, each encoded once for all streams; older events are in the database.
final class EventBroadcast: Sendable {
    /// The number of events in memory.
    static let capacity = 1_000
    /// The total number of times per second that streams resume.
    private static let wakeUpsPerSecond = 1_000
    /// The interval between two pages of older events if there are many streams.
    private static let pageInterval = Duration.milliseconds(100)
    /// The longest wait for a page of older events.
    private static let longestDelay = Duration.seconds(10)

    /// The events in memory after a given event.
    struct RecentEvents: Sendable {
        /// The requested events, encoded as server-sent events.
        var text: ByteBuffer
        /// The identifier of the last event that was examined.
        var lastEventID: Int64
    }

    private struct Item {
        let event: StoreEvent
        var text: ByteBuffer?
    }

    private struct State {
        var items: [Item] = []
        /// The identifier of the last event that is no longer in memory; nil until the first event is broadcast.
        var before: Int64?
        var next = 0
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
        /// The earliest time of the next database query for events that are not in memory.
        var nextPage = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// The identifier of the newest event that was broadcast.
    var newest: Int64 { state.withLock { $0.items.last?.event.id ?? 0 } }

    /// The delay between two parts of a stream if there are many streams, so that streams do not slow down the store; nil for a few
    /// streams, which receive events at once.
    var throttleDelay: Duration? {
        let count = state.withLock { $0.subscribers.count }
        return count < 50 ? nil : .seconds(Double(count) / Double(Self.wakeUpsPerSecond))
    }

    /// The delay before a stream reads a page of older events from the database; nil for a few streams, which do not wait.
    ///
    /// If many streams begin at the same time, they read in turns, so that most of the time remains for purchases.
    func reservePageRead() -> Duration? {
        state.withLock { state in
            guard state.subscribers.count >= 50 else { return nil }
            let now = ContinuousClock.now
            let slot = max(now, state.nextPage)
            // Streams that end do not free their turns; the upper bound limits the wait that such turns cause.
            state.nextPage = min(slot + Self.pageInterval, now + Self.longestDelay)
            return slot - now
        }
    }

    /// Broadcasts a committed event.
    func publish(_ event: StoreEvent) {
        let subscribers = state.withLock { state in
            if state.before == nil { state.before = event.id - 1 }
            state.items.append(Item(event: event))
            // Removing half of the events at once avoids moving all other events for each single removal.
            if state.items.count > Self.capacity * 2 {
                state.before = state.items[Self.capacity].event.id
                state.items.removeFirst(Self.capacity + 1)
            }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield() }
    }

    /// The events after `lastEventID` that match `isIncluded`; nil if events after `lastEventID` are no longer in memory.
    ///
    /// - Parameter limit: The number of bytes after which the result ends; a further call returns the remaining events.
    func recent(after lastEventID: Int64, limit: Int, where isIncluded: (StoreEvent) -> Bool) throws -> RecentEvents? {
        try state.withLock { state in
            guard let before = state.before, before <= lastEventID else { return nil }
            var recent = RecentEvents(text: ByteBuffer(), lastEventID: lastEventID)
            // The search begins at the end, because most streams request the newest events.
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

    /// A stream with an element when there are new events; several simultaneous events produce one element.
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
