import PurchaseModel
import Synchronization

/// Counts the calls of each app to each endpoint, by the hour of the clock that callers go by.
///
/// It is kept in memory only: a store that was started anew has forgotten them.
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

    /// Counts against limits; nil allows everything.
    init(_ limits: RateLimits?) {
        state = Mutex(State(limits: limits))
    }

    /// Sets other limits from now on; what was called within the hour still counts.
    func set(_ limits: RateLimits?) {
        state.withLock { $0.limits = limits }
    }

    /// Counts a call; when it is one too many, the time from which calls are allowed again.
    func take(_ endpoint: ServerAPIEndpoint, _ bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp) -> Timestamp? {
        state.withLock { state in
            guard let budget = state.limits?.budget(endpoint, in: environment) else { return nil }
            let hour = now.milliseconds / Self.hour
            if hour != state.hour {
                state.hour = hour
                state.calls = [:]
            }
            let key = Key(endpoint: endpoint, bundleID: bundleID, environment: environment)
            let calls = state.calls[key, default: 0]
            guard calls < budget else { return Timestamp(milliseconds: hour * Self.hour).adding(milliseconds: Self.hour) }
            state.calls[key] = calls + 1
            return nil
        }
    }
}
