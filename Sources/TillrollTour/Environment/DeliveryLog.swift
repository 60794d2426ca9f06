import StoreKit
import Synchronization

/// The payment queue's state after each delivery of a purchase and before its finishing.
final class DeliveryLog: Sendable {
    private let entries = Mutex<[[SKPaymentTransactionState]]>([])

    /// The states of the queue's transactions, one element per delivery.
    var states: [[SKPaymentTransactionState]] { entries.withLock { $0 } }

    func append(_ states: [SKPaymentTransactionState]) {
        entries.withLock { $0.append(states) }
    }
}
