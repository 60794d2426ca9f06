import Synchronization

/// A clock whose sleeps take no real time: each sleep advances the clock, and the wall clock with it.
public final class InstantTimer: Clock {
    private struct State {
        var now = ContinuousClock.now
        var delays: [Duration] = []
    }

    private let state = Mutex(State())
    private let wallClock: ManualClock?

    /// Creates a clock that starts now.
    public init(_ wallClock: ManualClock? = nil) {
        self.wallClock = wallClock
    }

    /// The clock's current time.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }
    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The durations of all sleeps, in order.
    public var delays: [Duration] { state.withLock { $0.delays } }

    /// Advances the time.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
        wallClock?.advance(seconds: duration.components.seconds)
    }

    /// Advances the time to the deadline at once.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let delay = now.duration(to: deadline)
        state.withLock { $0.delays.append(delay) }
        advance(by: delay)
    }
}
