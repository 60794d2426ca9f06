import Synchronization

/// Notices that a service answers again after it did not, such as the database or the App Store.
///
/// What was missed during the outage is then looked for at once, and not at the next date of a schedule.
final class OutageMonitor: Sendable {
    private let isAway = Mutex(false)
    private let onRecovery: Mutex<[@Sendable () -> Void]> = Mutex([])

    /// Adds an action for the end of each outage.
    func whenRecovered(_ action: @escaping @Sendable () -> Void) {
        onRecovery.withLock { $0.append(action) }
    }

    /// Reports that the service did not answer.
    func failed() {
        isAway.withLock { $0 = true }
    }

    /// Reports that the service answered to what looks for the missed data itself, so that no action is needed.
    func ended() {
        isAway.withLock { $0 = false }
    }

    /// Reports that the service answered; the first answer after a failure runs the actions.
    func succeeded() {
        let isRecovered = isAway.withLock { isAway in
            defer { isAway = false }
            return isAway
        }
        guard isRecovered else { return }
        for action in onRecovery.withLock({ $0 }) { action() }
    }
}
