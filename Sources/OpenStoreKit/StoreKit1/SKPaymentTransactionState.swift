/// Where a transaction stands; raw values are Apple's.
public enum SKPaymentTransactionState: Int, Sendable {
    /// On its way to the store.
    case purchasing = 0
    /// Paid; to be delivered and finished.
    case purchased = 1
    /// Not paid; to be finished.
    case failed = 2
    /// Restored; to be delivered and finished.
    case restored = 3
    /// Waits for somebody's approval; not to be finished.
    case deferred = 4
}
