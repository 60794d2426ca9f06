import Synchronization

/// Retries failed operations after increasing delays.
///
/// Several failures share one timer. A success resets the delay.
actor RetryTimer {
    private let schedule: RetrySchedule
    private let clock: any Clock<Duration>
    private var failures = 0
    private var timer: Task<Void, Never>?

    init(schedule: RetrySchedule, clock: any Clock<Duration>) {
        self.schedule = schedule
        self.clock = clock
    }

    deinit {
        timer?.cancel()
    }

    /// Calls a closure after the next delay, unless another call is already scheduled.
    func schedule(_ body: @escaping @Sendable () async -> Void) {
        guard timer == nil else { return }
        failures += 1
        let delay = schedule.delay(after: failures)
        timer = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: delay)) != nil, await self?.begin() == true else { return }
            await body()
        }
    }

    private func begin() -> Bool {
        guard !Task.isCancelled else { return false }
        timer = nil
        return true
    }

    func succeeded() {
        failures = 0
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}
