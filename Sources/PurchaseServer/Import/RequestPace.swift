import PurchaseModel

/// Spaces the requests of concurrent tasks evenly, and can pause the requests of all tasks until a date.
actor RequestPace {
    private let milliseconds: Int64
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    private var next: Timestamp

    /// Creates a pace.
    ///
    /// - Parameter perSecond: The number of requests in a second; 0 for no limit.
    init(perSecond: Int, clock: any WallClock, timer: any Clock<Duration>) {
        milliseconds = perSecond > 0 ? max(1, Int64(1_000 / perSecond)) : 0
        self.clock = clock
        self.timer = timer
        next = clock.now
    }

    /// Waits until the next request may be sent.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        let slot = max(next, clock.now)
        next = slot.adding(milliseconds: milliseconds)
        let delay = slot.milliseconds(since: clock.now)
        if delay > 0 { try await timer.sleep(for: .milliseconds(delay)) }
    }

    /// Delays the requests of all later calls of ``wait()`` until a date.
    func pause(until date: Timestamp) { next = max(next, date) }
}
