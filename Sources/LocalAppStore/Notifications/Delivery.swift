import PurchaseModel

/// The delivery state of one notification: a value type that decides when to retry and leaves the attempts to the notifier.
///
/// ```
///   waiting ──accepted──→ delivered
///    ↑  │ ↑                   │
///    └──┴─│──not accepted─────│──→ abandoned, after the last attempt
///         └──────resent────────┘
/// ```
struct Delivery: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The next attempt is due at a time.
        case pending(until: Timestamp)
        /// A server accepted the notification.
        case delivered
        /// No server accepted the notification in time, or the notification is never sent.
        case abandoned
    }

    /// All attempts, oldest first.
    private(set) var attempts: [SendAttempt]
    private(set) var state: State

    init(attempts: [SendAttempt] = [], state: State) {
        self.attempts = attempts
        self.state = state
    }

    /// The time of the next attempt; nil if there is none.
    var nextAttempt: Timestamp? {
        switch state {
        case .pending(let until): until
        case .delivered, .abandoned: nil
        }
    }

    /// Records the outcome of an attempt at `now`.
    mutating func addAttempt(_ result: SendAttemptResult, at now: Timestamp, retries: NotificationRetries) {
        attempts.append(SendAttempt(attemptDate: now, sendAttemptResult: result))
        guard case .pending = state else { return }
        if result == .success {
            state = .delivered
        } else if attempts.count <= retries.hours.count {
            state = .pending(until: now.adding(seconds: retries.hours[attempts.count - 1] * 3600))
        } else {
            state = .abandoned
        }
    }

    /// Schedules one more attempt, regardless of the earlier attempts.
    mutating func scheduleRetry(at now: Timestamp) {
        state = .pending(until: now)
    }
}
