public import PurchaseModel

/// What an app's screens may want to show, whoever asked for it and in whichever launch.
public enum PurchaseEvent: Hashable, Sendable {
    /// A payment is on its way.
    case purchasing(ProductID)
    /// A purchase was settled.
    case settled(ProductID, PurchaseOutcome)
    /// Restored transactions wait for the user's choice.
    case restorable([ProductID])
}
