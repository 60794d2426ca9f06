import PurchaseModel

/// Spaces the requests of concurrent tasks evenly, and can pause the requests of all tasks until a date.
actor RequestPace {
    private static let nanosecondsPerMillisecond: Int64 = 1_000_000

    /// The time between two requests in nanoseconds, rounded up so that the rate is not exceeded; 0 for no limit.
    private let interval: Int64
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    /// The date of the next request, and the nanoseconds after its millisecond.
    private var next: Timestamp
    private var nanoseconds: Int64 = 0

    /// Creates a pace with a maximum rate.
    ///
    /// - Parameter perSecond: The number of requests in a second; 0 for no limit.
    init(perSecond: Int, clock: any WallClock, timer: any Clock<Duration>) {
        let second: Int64 = 1_000 * Self.nanosecondsPerMillisecond
        interval = perSecond > 0 ? second / Int64(perSecond) + (second % Int64(perSecond) == 0 ? 0 : 1) : 0
        self.clock = clock
        self.timer = timer
        next = clock.now
    }

    /// Waits until the next request may be sent.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        let now = clock.now
        pause(until: now)
        let delay = Duration.milliseconds(next.milliseconds(since: now)) + .nanoseconds(nanoseconds)
        let later = nanoseconds + interval
        next = next.adding(milliseconds: later / Self.nanosecondsPerMillisecond)
        nanoseconds = later % Self.nanosecondsPerMillisecond
        if delay > .zero { try await timer.sleep(for: delay) }
    }

    /// Delays the requests of all later calls of ``wait()`` until a date.
    func pause(until date: Timestamp) {
        guard date > next else { return }
        (next, nanoseconds) = (date, 0)
    }
}
