import FoundationExtras
import PurchaseModel

/// The decisions about the attempts of one call.
///
/// The value has neither a clock nor randomness, so the caller passes both.
struct RequestRetries: Sendable {
    /// The reaction to a failed attempt.
    enum Decision: Hashable, Sendable {
        /// Repeat the request after this time.
        case retry(after: Duration)
        /// Throw the error.
        case fail
    }

    private let policy: ServerAPIRetryPolicy
    private let isIdempotent: Bool
    private var attempts = 0

    init(_ policy: ServerAPIRetryPolicy, isIdempotent: Bool) {
        self.policy = policy
        self.isIdempotent = isIdempotent
    }

    /// Counts a failed attempt, and returns whether to repeat the request.
    ///
    /// - Parameters:
    ///   - error: The error of the attempt.
    ///   - elapsed: The time since the start of the call.
    ///   - now: The time of the local clock.
    ///   - jitter: A random number from 0 to 1, which spreads the attempts of many clients.
    mutating func decide(after error: AppStoreServerAPIError, elapsed: Duration, now: Timestamp, jitter: Double) -> Decision {
        attempts += 1
        guard attempts < max(policy.maximumAttempts, 1), isSafe(after: error) else { return .fail }
        var delay = Backoff(from: policy.initialDelay, upTo: policy.maximumDelay).delay(after: attempts, jitter: jitter)
        if case .rateLimited(let until?) = error {
            delay += .milliseconds(max(ClockSkew.milliseconds(of: until, aheadOf: now), 0))
        }
        return elapsed + delay <= policy.budget ? .retry(after: delay) : .fail
    }

    /// Whether a repetition can succeed and has no second effect.
    private func isSafe(after error: AppStoreServerAPIError) -> Bool {
        switch error {
        case .rateLimited, .unavailable(.notConnected): true
        case .api(let response): response.error?.isRetryable ?? false
        case .unavailable(.serverError(let response)): isIdempotent || response.error?.isRetryable ?? false
        case .unavailable(.noResponse): isIdempotent
        case .unavailable(.circuitOpen), .unauthorized, .malformedResponse, .invalidRequest, .canceled: false
        }
    }
}
