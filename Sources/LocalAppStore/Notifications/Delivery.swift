import PurchaseModel

/// The delivery of one notification: its attempts, and the time of its next attempt.
///
/// The type only determines when the notification is sent again; ``Notifier`` sends it.
///
/// ```
///   pending ──accepted──→ delivered
///    ↑  │ ↑                   │
///    └──┴─│──not accepted─────│──→ abandoned, after the last attempt
///         └───sent again──────┘
/// ```
struct Delivery: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The notification is not delivered yet, and its next attempt is due at the associated time.
        case pending(until: Timestamp)
        /// The developer's server accepted the notification.
        case delivered
        /// The notification is not sent again, because all attempts failed, or because it must not be sent.
        case abandoned
    }

    /// All attempts to send the notification, oldest first.
    private(set) var attempts: [SendAttempt]
    private(set) var state: State

    init(attempts: [SendAttempt] = [], state: State) {
        self.attempts = attempts
        self.state = state
    }

    /// The time at which the notification is sent next, in the store's time; nil if it is delivered or abandoned.
    var nextAttempt: Timestamp? {
        switch state {
        case .pending(let until): until
        case .delivered, .abandoned: nil
        }
    }

    /// Records the result of an attempt to send the notification at `now`, and schedules the next attempt if necessary.
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

    /// Schedules one more attempt to send the notification, even if it is delivered or abandoned.
    mutating func scheduleRetry(at now: Timestamp) {
        state = .pending(until: now)
    }
}
