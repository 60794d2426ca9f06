/// The number and the pace of the attempts of a call.
///
/// A call is repeated after status 429, after a status of 500 or more, after an error code that Apple documents as retryable, and after a
/// network error. Other refusals are final. A repetition must be safe: after `extendSubscriptionRenewalDate` and
/// `requestTestNotification`, whose repetition has a second effect, the call is repeated only if the App Store evidently did not process
/// the request. That is the case if the connection failed, after status 429, and after an error code that Apple documents as retryable.
public struct ServerAPIRetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts of a call, including the first one; a value below 1 counts as 1.
    public var maximumAttempts = 4
    /// The time after the start of a call in which attempts can begin.
    ///
    /// A rate limit that ends later is thrown at once. The last attempt ends after its own time limit.
    public var budget: Duration = .seconds(60)
    /// The longest delay before the second attempt, which doubles for each further attempt.
    public var initialDelay: Duration = .milliseconds(500)
    /// The longest delay between two attempts, except for a rate limit.
    public var maximumDelay: Duration = .seconds(10)

    /// Creates the default policy: four attempts in a minute.
    public init() {}

    /// The policy of a client that sends each request once.
    public static let never: ServerAPIRetryPolicy = {
        var policy = ServerAPIRetryPolicy()
        policy.maximumAttempts = 1
        return policy
    }()
}

/// The conditions under which a client's calls fail without a request.
///
/// After several consecutive attempts without a connection, without a response, or with a status of 500 or more, calls fail at once with
/// ``ServerAPIUnavailability/circuitOpen(until:)``. After ``openDuration``, one call is sent as a probe. If it succeeds, all calls are sent
/// again. Responses with a status below 500 show that the App Store is available, even if they refuse the request.
public struct ServerAPICircuitBreakerPolicy: Hashable, Sendable {
    /// The number of consecutive failed attempts after which calls fail; a value below 1 counts as 1.
    public var failureThreshold = 10
    /// The time in which calls fail before a probe.
    public var openDuration: Duration = .seconds(30)

    /// Creates the default policy: ten failures, 30 seconds.
    public init() {}
}
