package import PurchaseModel
package import PurchaseProtocol

/// What the engine tells the payment queue, which tells its observers.
package enum Announcement: Sendable {
    /// Records are new or have changed.
    case updated([PaymentRecord])
    /// Transactions have left the queue.
    case removed([PaymentID])
    /// Every restored transaction was handed over.
    case restoreFinished
    /// The restore ended before its end.
    case restoreFailed(PaymentFailure)
    /// The store took purchases of these products back.
    case revoked([ProductID])
    /// The account buys in another country's store from now on.
    case storefrontChanged(PurchaseModel.Storefront)
    /// The user chose a product outside the app.
    case promoted(PendingDelivery<PromotedPurchase>)
    /// The store wants the user to be told something.
    case message(PendingDelivery<StoreMessage>)
}
