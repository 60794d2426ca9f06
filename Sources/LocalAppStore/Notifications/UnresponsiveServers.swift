import PurchaseModel
import Synchronization

/// The addresses at which nobody answered in one pass, or while the time was moved.
final class UnresponsiveServers: Sendable {
    private struct State {
        var results: [NotificationAddress: SendAttemptResult] = [:]
        var wereWaitedFor = false
    }

    private let state = Mutex(State())

    /// Remembers what came of an attempt that nobody answered, and whether it took long to know.
    func insert(_ address: NotificationAddress, _ result: SendAttemptResult, wasWaitedFor: Bool) {
        state.withLock { state in
            state.results[address] = result
            state.wereWaitedFor = state.wereWaitedFor || wasWaitedFor
        }
    }

    /// What came of the attempt that nobody answered; nil when there was none.
    func result(of address: NotificationAddress) -> SendAttemptResult? {
        state.withLock { $0.results[address] }
    }

    var isEmpty: Bool { state.withLock { $0.results.isEmpty } }

    /// Whether it took long to know of one of them.
    var wereWaitedFor: Bool { state.withLock { $0.wereWaitedFor } }
}
