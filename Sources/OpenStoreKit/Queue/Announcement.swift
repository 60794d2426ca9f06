package import PurchaseModel
package import PurchaseProtocol

/// A change that the payment engine reports to the payment queue, which notifies its observers.
package enum Announcement: Sendable {
    /// Payment records were added or changed.
    case updated([PaymentRecord])
    /// Transactions have left the queue.
    case removed([PaymentID])
    /// The restore completed, and every restored transaction was delivered.
    case restoreFinished
    /// The restore failed before every transaction was delivered.
    case restoreFailed(PaymentFailure)
    /// The store revoked purchases of these products.
    case revoked([ProductID])
    /// The storefront of the account changed.
    case storefrontChanged(PurchaseModel.Storefront)
    /// The user began a promoted in-app purchase outside the app.
    case promoted(PendingDelivery<PromotedPurchase>)
    /// The store has a message for the user.
    case message(PendingDelivery<StoreMessage>)
}
