import PurchaseModel
import Synchronization

/// The notification URLs that did not respond during a delivery pass or an advance of the store's time.
final class UnresponsiveServers: Sendable {
    private struct State {
        var results: [NotificationAddress: SendAttemptResult] = [:]
        var causedTimeout = false
    }

    private let state = Mutex(State())

    /// Records that a notification URL did not respond.
    ///
    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - timedOut: Whether the attempt waited until the time-out.
    func insert(_ address: NotificationAddress, _ result: SendAttemptResult, timedOut: Bool) {
        state.withLock { state in
            state.results[address] = result
            state.causedTimeout = state.causedTimeout || timedOut
        }
    }

    /// Returns the result of the attempt to which a notification URL did not respond; nil if the URL has responded or was not used.
    func result(of address: NotificationAddress) -> SendAttemptResult? {
        state.withLock { $0.results[address] }
    }

    var isEmpty: Bool { state.withLock { $0.results.isEmpty } }

    /// Whether at least one attempt waited until the time-out.
    var causedTimeout: Bool { state.withLock { $0.causedTimeout } }
}
