import PurchaseModel

/// How the delivery of one notification stands: a value that decides when to try again, and leaves trying to its owner.
///
/// ```
///   waiting ──taken──→ delivered
///    ↑  │
///    └──┴─not taken──→ abandoned, when every attempt was used
/// ```
struct Delivery: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The next attempt is due then.
        case waiting(until: Timestamp)
        /// A server took it.
        case delivered
        /// No server took it in time.
        case abandoned
    }

    /// How often it was tried.
    private(set) var attempts: Int
    private(set) var state: State

    init(attempts: Int, state: State) {
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
    mutating func attempted(taken: Bool, at now: Timestamp, retries: NotificationRetries) {
        guard case .waiting = state else { return }
        attempts += 1
        if taken {
            state = .delivered
        } else if attempts <= retries.hours.count {
            state = .waiting(until: now.adding(seconds: retries.hours[attempts - 1] * 3600))
        } else {
            state = .abandoned
        }
    }
}
