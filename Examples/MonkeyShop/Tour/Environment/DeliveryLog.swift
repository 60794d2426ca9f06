import StoreKit
import Synchronization

/// Records the states of the queue's transactions after each delivery of a purchase, before the transaction is finished.
final class DeliveryLog: Sendable {
    private let entries = Mutex<[[SKPaymentTransactionState]]>([])

    /// The states of the queue's transactions, one element for each delivery.
    var states: [[SKPaymentTransactionState]] { entries.withLock { $0 } }

    func append(_ states: [SKPaymentTransactionState]) {
        entries.withLock { $0.append(states) }
    }
}
