import NIOCore
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// Tells those who watch a store what happened: the newest events are at hand, as text that is written once for all of them; older
/// ones are in the database.
final class EventBroadcast: Sendable {
    /// How many events are at hand.
    static let memory = 1_000
    /// How often a second those who watch are woken, all together.
    private static let wakesPerSecond = 1_000
    /// How long many who watch wait between one page of older events and the next.
    private static let pageInterval = Duration.milliseconds(100)
    /// The longest wait for a turn.
    private static let longestTurn = Duration.seconds(10)

    /// What is at hand after an event.
    struct Recent: Sendable {
        /// The events that were asked for, as server-sent events.
        var text: ByteBuffer
        /// The last event that was looked at.
        var seen: Int64
    }

    private struct Item {
        let event: StoreEvent
        var text: ByteBuffer?
    }

    private struct State {
        var items: [Item] = []
        /// The last event before those at hand; nil before the first one is told.
        var before: Int64?
        var next = 0
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        /// When the database may be asked next for what is not at hand.
        var nextPage = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// The number of the newest event that was told.
    var newest: Int64 { state.withLock { $0.items.last?.event.id ?? 0 } }

    /// How long somebody who was told something waits before they look again, so that many of them do not slow down the store; nil for
    /// a few, who are told at once.
    var pause: Duration? {
        let count = state.withLock { $0.watchers.count }
        return count < 50 ? nil : .seconds(Double(count) / Double(Self.wakesPerSecond))
    }

    /// How long somebody waits before they ask the database for a page of older events; nil for a few, who do not wait.
    ///
    /// When many begin to watch at once, they take turns, so that most of the time is left to purchases.
    func waitForPage() -> Duration? {
        state.withLock { state in
            guard state.watchers.count >= 50 else { return nil }
            let now = ContinuousClock.now
            let turn = max(now, state.nextPage)
            // Turns of those who went away are not given back, so nobody waits for all that were given.
            state.nextPage = min(turn + Self.pageInterval, now + Self.longestTurn)
            return turn - now
        }
    }

    /// Says that an event was kept.
    func tell(_ event: StoreEvent) {
        let watchers = state.withLock { state in
            if state.before == nil { state.before = event.id - 1 }
            state.items.append(Item(event: event))
            // Half at once: to remove one at a time would move all others each time.
            if state.items.count > Self.memory * 2 {
                state.before = state.items[Self.memory].event.id
                state.items.removeFirst(Self.memory + 1)
            }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// What happened after an event, as far as `isWanted`; nil when that was too long ago to be at hand.
    ///
    /// - Parameter limit: How many bytes are enough; the rest is there when it is asked for again.
    func recent(after seen: Int64, limit: Int, where isWanted: (StoreEvent) -> Bool) throws -> Recent? {
        try state.withLock { state in
            guard let before = state.before, before <= seen else { return nil }
            var recent = Recent(text: ByteBuffer(), seen: seen)
            // Most are asked for what came last.
            var index = state.items.endIndex
            while index > state.items.startIndex, state.items[index - 1].event.id > seen { index -= 1 }
            while index < state.items.endIndex, recent.text.readableBytes < limit {
                if isWanted(state.items[index].event) {
                    let text = try state.items[index].text ?? EventStream.text([state.items[index].event])
                    state.items[index].text = text
                    recent.text.writeImmutableBuffer(text)
                }
                recent.seen = state.items[index].event.id
                index += 1
            }
            return recent
        }
    }

    /// Wakes whoever reads it when there are new events; several that come at once wake once.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
        return stream
    }
}
