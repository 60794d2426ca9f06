import PurchaseModel
import PurchaseProtocol

/// The broadcasts behind StoreKit 2's asynchronous sequences, such as `Transaction.updates`.
struct DeviceEvents: Sendable {
    /// Transactions that no purchase call returns.
    let updates = Broadcast<SignedTransaction>()
    /// The new states of subscriptions that have changed.
    let statuses = Broadcast<HistoryReply.Status>()
    /// The account's new storefront after each change.
    let storefronts = Broadcast<PurchaseModel.Storefront>()
    /// The promoted in-app purchases that the user began outside the app.
    let promotions = Broadcast<PendingDelivery<PromotedPurchase>>(retainsUntilRemoved: true)
    /// The store's messages for the user.
    let messages = Broadcast<PendingDelivery<StoreMessage>>(retainsUntilRemoved: true)

    /// Removes the transactions, subscription states and storefronts of the previous account that no listener has received.
    func dropUndelivered() {
        updates.forget { _ in true }
        statuses.forget { _ in true }
        storefronts.forget { _ in true }
    }

    /// Ends the streams of all listeners.
    func end() {
        updates.end()
        statuses.end()
        storefronts.end()
        promotions.end()
        messages.end()
    }
}
