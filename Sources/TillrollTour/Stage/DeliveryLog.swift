import StoreKit
import Synchronization

/// What the payment queue held each time a purchase had had its effect and was not finished yet.
final class DeliveryLog: Sendable {
    private let entries = Mutex<[[SKPaymentTransactionState]]>([])

    /// The states of the queue's transactions, an element for each delivery.
    var states: [[SKPaymentTransactionState]] { entries.withLock { $0 } }

    func append(_ states: [SKPaymentTransactionState]) {
        entries.withLock { $0.append(states) }
    }
}
