/// The decision whether a request is sent, from the outcomes of earlier attempts.
///
/// Times are durations since any fixed point of a monotonic clock.
struct CircuitBreaker: Sendable {
    enum State: Hashable, Sendable {
        /// Requests are sent. A failure that reaches the threshold changes the state to `open`, and a success resets the number.
        case closed(failures: Int)
        /// No request is sent. The first call at this time or later changes the state to `halfOpen`.
        case open(until: Duration)
        /// A probe is in flight. Its success changes the state to `closed`, and its failure to `open`.
        case halfOpen
    }

    /// The permission to send one request; its outcome must be recorded.
    struct Permit: Hashable, Sendable {
        fileprivate let epoch: Int
    }

    /// The outcome of an attempt.
    enum Outcome: Hashable, Sendable {
        /// The App Store responded with a status below 500.
        case available
        /// No response, or a status of 500 or more.
        case unavailable
        /// The attempt ended without information about the App Store, such as by cancellation.
        case abandoned
    }

    /// The error for a call that must fail until a time.
    struct Refusal: Error, Hashable {
        let until: Duration
    }

    private let policy: ServerAPICircuitBreakerPolicy
    private(set) var state = State.closed(failures: 0)
    /// The number of state changes.
    ///
    /// The outcome of an attempt that began before the last change is ignored.
    private var epoch = 0

    init(_ policy: ServerAPICircuitBreakerPolicy) {
        self.policy = policy
    }

    /// Returns the permission to send a request.
    ///
    /// - Throws: ``Refusal`` while the circuit is open, or while a probe is in flight.
    mutating func admit(at now: Duration) throws(Refusal) -> Permit {
        switch state {
        case .closed: return Permit(epoch: epoch)
        case .open(let until) where now < until: throw Refusal(until: until)
        case .open:
            change(to: .halfOpen)
            return Permit(epoch: epoch)
        case .halfOpen: throw Refusal(until: now)
        }
    }

    /// Records the outcome of an attempt.
    mutating func record(_ outcome: Outcome, of permit: Permit, at now: Duration) {
        guard permit.epoch == epoch else { return }
        switch (state, outcome) {
        case (.closed, .available): state = .closed(failures: 0)
        case (.closed, .abandoned), (.open, _): break
        case (.closed(let failures), .unavailable):
            if failures + 1 >= policy.failureThreshold {
                change(to: .open(until: now + max(policy.openDuration, .zero)))
            } else {
                state = .closed(failures: failures + 1)
            }
        case (.halfOpen, .available): change(to: .closed(failures: 0))
        case (.halfOpen, .unavailable): change(to: .open(until: now + max(policy.openDuration, .zero)))
        // The next call is the probe.
        case (.halfOpen, .abandoned): change(to: .open(until: now))
        }
    }

    private mutating func change(to state: State) {
        self.state = state
        epoch += 1
    }
}

extension CircuitBreaker.Outcome {
    /// Creates the outcome of an attempt from its error; nil for a successful attempt.
    init(_ error: AppStoreServerAPIError?) {
        switch error {
        case .unavailable(.notConnected), .unavailable(.noResponse), .unavailable(.serverError): self = .unavailable
        case .canceled, .invalidRequest, .unavailable(.circuitOpen): self = .abandoned
        case nil, .api, .unauthorized, .rateLimited, .malformedResponse: self = .available
        }
    }
}
