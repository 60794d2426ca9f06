import Synchronization

/// A clock whose sleeps end when a test says so.
public final class StandingClock: Clock {
    private struct State {
        var now = ContinuousClock.now
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var slept: [Duration] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a clock that stands.
    public init() {}

    /// The time that it shows.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }
    /// As fine as can be.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The lengths of all sleeps that were begun.
    public var slept: [Duration] { state.withLock { $0.slept } }

    /// Moves the time that it shows; nobody wakes by it.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
    }

    /// Sleeps until the test ends it.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    guard state.cancelled.remove(id) == nil else {
                        continuation.resume(throwing: CancellationError())
                        return []
                    }
                    state.slept.append(state.now.duration(to: deadline))
                    state.sleepers[id] = continuation
                    defer { state.watchers = [] }
                    return state.watchers
                }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps.
    public func asleep() async {
        await withCheckedContinuation { continuation in
            let isAsleep = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isAsleep { continuation.resume() }
        }
    }

    /// Waits until somebody sleeps, and ends every sleep.
    public func wake() async {
        await asleep()
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers.values
        }
        for sleeper in sleepers { sleeper.resume() }
    }
}
