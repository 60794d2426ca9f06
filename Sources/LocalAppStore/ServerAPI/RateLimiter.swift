public import PurchaseModel
import StoreProtocol
import Synchronization

/// A limiter of the number of requests per hour that each app may send to each endpoint of the App Store Server API.
///
/// The request counts are in memory only, so a restart of the store resets them.
final class RateLimiter: Sendable {
    private static let hour: Int64 = 3_600_000

    private struct Key: Hashable {
        var endpoint: ServerAPIEndpoint
        var bundleID: BundleID
        var environment: AppEnvironment
    }

    private struct State {
        var limits: RateLimits?
        var hour: Int64 = 0
        var calls: [Key: Int64] = [:]
    }

    private let state: Mutex<State>

    /// Creates a limiter without counted requests; with nil, the number of requests is unlimited.
    init(_ limits: RateLimits?) {
        state = Mutex(State(limits: limits))
    }

    /// Replaces the limits; requests that were already counted in the current hour stay counted.
    func set(_ limits: RateLimits?) {
        state.withLock { $0.limits = limits }
    }

    /// The limits that the limiter enforces, or would enforce after they are enabled.
    var description: RateLimitsReply {
        let enforced = state.withLock { $0.limits }
        let limits = enforced ?? .apple
        return RateLimitsReply(
            isEnabled: enforced != nil,
            limits: ServerAPIEndpoint.allCases.compactMap { endpoint in
                guard let production = limits.limit(endpoint, in: .production), let sandbox = limits.limit(endpoint, in: .sandbox) else {
                    return nil
                }
                return RateLimitsReply.Limit(
                    endpoint: "\(endpoint.method.rawValue) \(endpoint.template)", production: production, sandbox: sandbox)
            })
    }

    /// Counts a request; if the limit is exceeded, returns the time from which requests are allowed again, otherwise nil.
    func countRequest(_ endpoint: ServerAPIEndpoint, _ bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp) -> Timestamp? {
        state.withLock { state in
            guard let limit = state.limits?.limit(endpoint, in: environment) else { return nil }
            let hour = now.milliseconds / Self.hour
            if hour != state.hour {
                state.hour = hour
                state.calls = [:]
            }
            let key = Key(endpoint: endpoint, bundleID: bundleID, environment: environment)
            let calls = state.calls[key, default: 0]
            guard calls < limit else { return Timestamp(milliseconds: hour * Self.hour).adding(milliseconds: Self.hour) }
            state.calls[key] = calls + 1
            return nil
        }
    }
}

/// The rate limits of the App Store Server API, which apply to each app and endpoint separately.
public struct RateLimits: Hashable, Sendable {
    /// The maximum number of requests per hour in production; an endpoint without a value has no limit.
    public var requestsPerHour: [ServerAPIEndpoint: Int64]
    /// The limit in the sandbox, in percent of the limit in production.
    public var sandboxPercentage: Int64

    /// Creates rate limits.
    public init(requestsPerHour: [ServerAPIEndpoint: Int64], sandboxPercentage: Int64 = 10) {
        self.requestsPerHour = requestsPerHour
        self.sandboxPercentage = sandboxPercentage
    }

    /// The rate limits that Apple documents for the App Store Server API.
    public static let apple = RateLimits(
        requestsPerHour: Dictionary(
            uniqueKeysWithValues: ServerAPIEndpoint.allCases.compactMap { endpoint in
                endpoint.requestsPerSecond.map { (endpoint, $0 * 3_600) }
            }
        )
    )

    /// Returns the maximum number of requests per hour to an endpoint in an environment; nil if the number is unlimited.
    func limit(_ endpoint: ServerAPIEndpoint, in environment: AppEnvironment) -> Int64? {
        guard let calls = requestsPerHour[endpoint] else { return nil }
        guard environment != .production else { return calls }
        let (product, overflow) = calls.multipliedReportingOverflow(by: sandboxPercentage)
        return overflow ? calls : product / 100
    }
}

/// The error of a request that exceeds an app's rate limit for an endpoint of the App Store Server API.
struct RateLimitExceeded: Error, Equatable {
    /// The time from which the app may send requests to the endpoint again, by the machine's clock.
    var until: Timestamp
}
