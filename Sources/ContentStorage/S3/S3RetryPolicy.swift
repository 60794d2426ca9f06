import FoundationExtras

/// The number and the pace of the attempts of a request to a bucket.
///
/// A request is repeated after a status of 500 or more, after `SlowDown` and status 429, after a time-out and after a network error. Other
/// refusals are final. All requests of a storage can be repeated without a second effect. An interrupted read continues at the first
/// missing byte; each chunk that arrives begins a new count of attempts.
public struct S3RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts of a request, including the first one; a value below 1 counts as 1.
    public var maximumAttempts = 5
    /// The time after the first attempt in which further attempts can begin.
    public var budget: Duration = .seconds(120)
    /// The longest delay before the second attempt, which doubles for each further attempt.
    public var initialDelay: Duration = .milliseconds(200)
    /// The longest delay between two attempts, except for a `Retry-After` of the bucket.
    public var maximumDelay: Duration = .seconds(20)

    /// Creates the default policy: five attempts in two minutes.
    public init() {}

    /// The policy of a storage that sends each request once.
    public static let never: S3RetryPolicy = {
        var policy = S3RetryPolicy()
        policy.maximumAttempts = 1
        return policy
    }()
}

/// The decisions about the attempts of one request.
///
/// The schedule is a value without clock and randomness, so the caller passes both.
struct S3RetrySchedule: Sendable {
    private let policy: S3RetryPolicy
    private var attempts = 0

    init(_ policy: S3RetryPolicy) {
        self.policy = policy
    }

    /// Counts a failed attempt, and returns the delay before the next one; nil if the error is final.
    ///
    /// - Parameters:
    ///   - error: The error of the attempt.
    ///   - retryAfter: The delay in seconds that the bucket requests; nil without a request.
    ///   - elapsed: The time since the first attempt.
    ///   - jitter: A random number from 0 to 1, which spreads the attempts of many clients.
    mutating func delay(after error: ContentStorageError, retryAfter: Int64? = nil, elapsed: Duration, jitter: Double) -> Duration? {
        attempts += 1
        guard attempts < max(policy.maximumAttempts, 1), case .unavailable = error else { return nil }
        // A limit for the header's number keeps the sum in range.
        let requested = Duration.seconds(min(max(retryAfter ?? 0, 0), 86_400))
        let delay = max(Backoff(from: policy.initialDelay, upTo: policy.maximumDelay).delay(after: attempts, jitter: jitter), requested)
        return elapsed + delay <= policy.budget ? delay : nil
    }
}
