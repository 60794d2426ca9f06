/// The conditions under which a client's calls fail without a request.
///
/// After several consecutive attempts without a connection, without a response, or with a status of 500 or more, calls fail at once with
/// ``ServerAPIUnavailability/circuitOpen(until:)``. After ``openDuration``, one call is sent as a probe. If it succeeds, all calls are sent
/// again. Responses with a status below 500 show that the App Store is available, also if they refuse the request.
public struct ServerAPICircuitBreakerPolicy: Hashable, Sendable {
    /// The number of consecutive failed attempts after which calls fail; a value below 1 counts as 1.
    public var failureThreshold = 10
    /// The time in which calls fail before a probe.
    public var openDuration: Duration = .seconds(30)

    /// Creates the default policy: ten failures, 30 seconds.
    public init() {}
}
