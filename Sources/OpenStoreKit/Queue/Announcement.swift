package import PurchaseModel
package import PurchaseProtocol

/// A change that the payment engine reports to the app's payment queue, which notifies the app's observers.
package enum Announcement: Sendable {
    /// Payments were added, or their state has changed.
    case updated([PaymentRecord])
    /// The transactions of these payments have left the payment queue.
    case removed([PaymentID])
    /// The restore completed, and every restored transaction was delivered.
    case restoreFinished
    /// The restore failed; some restored transactions may not have been delivered.
    case restoreFailed(PaymentFailure)
    /// The store revoked purchases of these products.
    case revoked([ProductID])
    /// The account's storefront has changed to this storefront.
    case storefrontChanged(PurchaseModel.Storefront)
    /// The user began a promoted in-app purchase outside the app.
    case promoted(PendingDelivery<PromotedPurchase>)
    /// The store has a message for the user.
    case message(PendingDelivery<StoreMessage>)
}
