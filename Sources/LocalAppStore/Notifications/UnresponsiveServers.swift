import PurchaseModel
import Synchronization

/// The notification URLs that did not respond during one pass or during a time advance.
final class UnresponsiveServers: Sendable {
    private struct State {
        var results: [NotificationAddress: SendAttemptResult] = [:]
        var causedTimeout = false
    }

    private let state = Mutex(State())

    /// Records the outcome of an attempt without a response, and whether the attempt waited for the time-out.
    func insert(_ address: NotificationAddress, _ result: SendAttemptResult, timedOut: Bool) {
        state.withLock { state in
            state.results[address] = result
            state.causedTimeout = state.causedTimeout || timedOut
        }
    }

    /// The outcome of the attempt without a response; nil if the URL has none.
    func result(of address: NotificationAddress) -> SendAttemptResult? {
        state.withLock { $0.results[address] }
    }

    var isEmpty: Bool { state.withLock { $0.results.isEmpty } }

    /// Whether at least one attempt waited for the time-out.
    var causedTimeout: Bool { state.withLock { $0.causedTimeout } }
}
