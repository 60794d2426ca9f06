import PurchaseModel
import PurchaseProtocol

/// The events that a device delivers to listeners of StoreKit 2's sequences.
struct DeviceEvents: Sendable {
    /// Transactions for which no purchase call waits.
    let updates = Broadcast<SignedTransaction>()
    /// Subscriptions whose state has changed.
    let statuses = Broadcast<HistoryReply.Status>()
    /// The storefronts to which the account changes.
    let storefronts = Broadcast<PurchaseModel.Storefront>()
    /// The promoted purchases that the user began outside the app.
    let promotions = Broadcast<PendingDelivery<PromotedPurchase>>(retainsUntilRemoved: true)
    /// The store's messages for the user.
    let messages = Broadcast<PendingDelivery<StoreMessage>>(retainsUntilRemoved: true)

    /// Removes the updates that no listener has received, when another account signs in.
    func dropUndelivered() {
        updates.forget { _ in true }
        statuses.forget { _ in true }
        storefronts.forget { _ in true }
    }

    /// Ends every stream.
    func end() {
        updates.end()
        statuses.end()
        storefronts.end()
        promotions.end()
        messages.end()
    }
}
