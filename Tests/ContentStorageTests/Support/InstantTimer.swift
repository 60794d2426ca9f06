import Synchronization

/// A clock whose sleeps take no real time: each sleep advances the clock.
final class InstantTimer: Clock {
    private let state = Mutex<(now: ContinuousClock.Instant, delays: [Duration])>((.now, []))

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// The durations of all sleeps, in order.
    var delays: [Duration] { state.withLock { $0.delays } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.delays.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
    }
}
