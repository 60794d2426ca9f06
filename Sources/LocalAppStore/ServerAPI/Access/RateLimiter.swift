import PurchaseModel
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
