import PurchaseModel

/// What the engine tells the payment queue, which tells its observers.
enum Announcement: Sendable {
    /// Records are new or have changed.
    case updated([PaymentRecord])
    /// Transactions have left the queue.
    case removed([PaymentID])
    /// Every restored transaction was handed over.
    case restoreFinished
    /// The restore ended before its end.
    case restoreFailed(PaymentFailure)
}
