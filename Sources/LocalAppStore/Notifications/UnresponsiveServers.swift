import PurchaseModel
import Synchronization

/// The notification URLs that did not respond during one pass or during a time advance.
final class UnresponsiveServers: Sendable {
    private struct State {
        var results: [NotificationAddress: SendAttemptResult] = [:]
        var wereWaitedFor = false
    }

    private let state = Mutex(State())

    /// Records the outcome of an attempt without a response, and whether the attempt waited for the time-out.
    func insert(_ address: NotificationAddress, _ result: SendAttemptResult, wasWaitedFor: Bool) {
        state.withLock { state in
            state.results[address] = result
            state.wereWaitedFor = state.wereWaitedFor || wasWaitedFor
        }
    }

    /// The outcome of the attempt without a response; nil if the URL has none.
    func result(of address: NotificationAddress) -> SendAttemptResult? {
        state.withLock { $0.results[address] }
    }

    var isEmpty: Bool { state.withLock { $0.results.isEmpty } }

    /// Whether at least one attempt waited for the time-out.
    var wereWaitedFor: Bool { state.withLock { $0.wereWaitedFor } }
}
