import Synchronization

/// Detects the end of an outage of a service, such as the database or the App Store.
///
/// The actions of the monitor request missed data at once after an outage, instead of at the next scheduled date.
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

    /// Reports the end of an outage without running the actions, because the caller has requested the missed data.
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
