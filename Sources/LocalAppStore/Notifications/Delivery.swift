import PurchaseModel

/// How the delivery of one notification stands: a value that decides when to try again, and leaves trying to its owner.
///
/// ```
///   waiting ──taken──→ delivered
///    ↑  │ ↑                │
///    └──┴─│──not taken─────│──→ abandoned, when every attempt was used
///         └────asked for once more───┘
/// ```
struct Delivery: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The next attempt is due then.
        case waiting(until: Timestamp)
        /// A server took it.
        case delivered
        /// No server took it in time, or it is never sent.
        case abandoned
    }

    /// Every attempt, oldest first.
    private(set) var attempts: [SendAttempt]
    private(set) var state: State

    init(attempts: [SendAttempt] = [], state: State) {
        self.attempts = attempts
        self.state = state
    }

    /// When it is to be tried next; nil when it is not.
    var nextAttempt: Timestamp? {
        switch state {
        case .waiting(let until): until
        case .delivered, .abandoned: nil
        }
    }

    /// Takes the outcome of an attempt that was made at `now`.
    mutating func attempted(_ result: SendAttemptResult, at now: Timestamp, retries: NotificationRetries) {
        attempts.append(SendAttempt(attemptDate: now, sendAttemptResult: result))
        guard case .waiting = state else { return }
        if result == .success {
            state = .delivered
        } else if attempts.count <= retries.hours.count {
            state = .waiting(until: now.adding(seconds: retries.hours[attempts.count - 1] * 3600))
        } else {
            state = .abandoned
        }
    }

    /// Asks for one more attempt, whatever became of the others.
    mutating func repeated(at now: Timestamp) {
        state = .waiting(until: now)
    }
}
