import Synchronization

/// Detects the end of an outage of the database or the App Store.
///
/// The monitor wakes reconciliations, which then request missed data at once instead of at their next scheduled date.
final class OutageMonitor: Sendable {
    private let isAway = Mutex(false)
    private let wakeups: Mutex<[Wakeup]> = Mutex([])

    /// Adds a wakeup, which the monitor triggers at the end of each outage.
    func whenRecovered(wake wakeup: Wakeup) {
        wakeups.withLock { $0.append(wakeup) }
    }

    /// Records that the database or the App Store did not answer.
    func failed() {
        isAway.withLock { $0 = true }
    }

    /// Records the end of an outage without waking the reconciliations, because the caller has requested the missed data.
    func ended() {
        isAway.withLock { $0 = false }
    }

    /// Records an answer; the first answer after a failure wakes the reconciliations.
    func succeeded() {
        let isRecovered = isAway.withLock { isAway in
            defer { isAway = false }
            return isAway
        }
        guard isRecovered else { return }
        for wakeup in wakeups.withLock({ $0 }) { wakeup.wake() }
    }
}
