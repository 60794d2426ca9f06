public import PurchaseModel

/// An event for the app's user interface, about a purchase of this or of an earlier app session.
public enum PurchaseEvent: Hashable, Sendable {
    /// A payment was added to the queue.
    case purchasing(ProductID)
    /// A purchase of a product has an outcome.
    case settled(ProductID, PurchaseOutcome)
    /// Restored transactions of these products remain from an earlier app session; the next restore offers the products again.
    case restorable([ProductID])
}
