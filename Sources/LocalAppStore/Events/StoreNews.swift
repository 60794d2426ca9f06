import Synchronization

/// Tells those who watch a store that there are new events; what they are, the database says.
final class StoreNews: Sendable {
    private struct State {
        var newest: Int64 = 0
        var next = 0
        var watchers: [Int: AsyncStream<Int64>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Says that the event with this number was kept.
    func tell(_ id: Int64) {
        let watchers = state.withLock { state in
            state.newest = max(state.newest, id)
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield(id) }
    }

    /// The numbers of events as they are kept; one that is not taken in time gives way to a newer one.
    func stream() -> AsyncStream<Int64> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
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
