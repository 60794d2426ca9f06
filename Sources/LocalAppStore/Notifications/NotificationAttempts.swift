import PurchaseModel
import StoreProtocol

/// The delivery of one notification: its attempts, and the time of its next attempt.
///
/// The type only determines when the notification is sent again; ``NotificationSender`` sends it.
///
/// ```
///   pending ──accepted──→ delivered
///    ↑  │ ↑                   │
///    └──┴─│──not accepted─────│──→ abandoned, after the last attempt
///         └───sent again──────┘
/// ```
struct NotificationAttempts: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The notification is not delivered yet, and its next attempt is due at the associated time.
        case pending(until: Timestamp)
        /// The developer's server accepted the notification.
        case delivered
        /// The notification is not sent again, because all attempts failed, or because it must not be sent.
        case abandoned
    }

    /// All attempts to send the notification, oldest first.
    private(set) var attempts: [DeliveryAttempt]
    private(set) var state: State

    init(attempts: [DeliveryAttempt] = [], state: State) {
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

    /// Records an attempt to send the notification, and schedules the next attempt if necessary.
    mutating func addAttempt(_ attempt: DeliveryAttempt, retries: NotificationRetries) {
        attempts.append(attempt)
        guard case .pending = state else { return }
        if attempt.sendAttemptResult == .success {
            state = .delivered
        } else if attempts.count <= retries.hours.count {
            state = .pending(until: attempt.attemptDate.adding(seconds: retries.hours[attempts.count - 1] * 3600))
        } else {
            state = .abandoned
        }
    }

    /// Schedules one more attempt to send the notification, even if it is delivered or abandoned.
    mutating func scheduleRetry(at now: Timestamp) {
        state = .pending(until: now)
    }
}

/// The schedule of repeated attempts to send a notification that the developer's server did not accept.
public struct NotificationRetries: Hashable, Sendable {
    /// The hours of the store's time between each attempt and the next; empty for a single attempt.
    public let hours: [Int64]

    private init(hours: [Int64]) {
        self.hours = hours
    }

    /// The App Store's schedule in production: five repeated attempts within 157 hours.
    public static let production = NotificationRetries(hours: [1, 12, 24, 48, 72])
    /// The schedule of Apple's sandbox: no repeated attempts.
    public static let sandbox = NotificationRetries(hours: [])
    /// The App Store's schedule for version 1 notifications in production: three repeated attempts.
    static let version1 = NotificationRetries(hours: [6, 24, 48])

    /// Returns the schedule for a notification version and an environment.
    ///
    /// - Parameters:
    ///   - version: The version of App Store Server Notifications: 1 or 2.
    ///   - sandbox: The configured schedule of the sandbox environment.
    static func pattern(version: Int, in environment: AppEnvironment, sandbox: NotificationRetries) -> NotificationRetries {
        let pattern = environment == .production ? .production : sandbox
        return version == 1 && pattern == .production ? .version1 : pattern
    }
}
