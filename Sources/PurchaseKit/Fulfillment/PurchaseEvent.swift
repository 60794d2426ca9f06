public import PurchaseModel

/// An event for the app's user interface, whether or not this app session began the purchase.
public enum PurchaseEvent: Hashable, Sendable {
    /// A payment was added to the queue.
    case purchasing(ProductID)
    /// A purchase has this outcome.
    case settled(ProductID, PurchaseOutcome)
    /// Restored transactions of an earlier app session wait for the next restore.
    case restorable([ProductID])
}
