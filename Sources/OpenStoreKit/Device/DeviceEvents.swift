import PurchaseModel
import PurchaseProtocol

/// What a device tells those who listen with StoreKit 2's sequences.
struct DeviceEvents: Sendable {
    /// Transactions that no purchase call waits for.
    let updates = Broadcast<SignedTransaction>()
    /// Subscriptions whose state has changed.
    let statuses = Broadcast<PurchasesReply.Status>()
    /// The countries' stores that the account moves to.
    let storefronts = Broadcast<PurchaseModel.Storefront>()
    /// What the user chose outside the app.
    let promotions = Broadcast<PendingDelivery<PromotedPurchase>>(keepsUntilForgotten: true)
    /// What the store wants the user to be told.
    let messages = Broadcast<PendingDelivery<StoreMessage>>(keepsUntilForgotten: true)

    /// Forgets the updates that nobody has heard, because they were meant for another account.
    func forgetUnheard() {
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
