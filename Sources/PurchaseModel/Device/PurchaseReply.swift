/// What became of a payment; exactly one of the four.
public enum PurchaseReply: Codable, Hashable, Sendable {
    /// It was charged, or had been before; with what the store hosts for the product.
    case purchased(transaction: SignedTransaction, content: HostedContent? = nil)
    /// A parent must approve it first.
    case deferred
    /// A parent must approve it, and the user has not agreed yet to ask one; the store keeps nothing of it.
    case permissionNeeded
    /// The store will not sell; the code is one of `SKError`'s.
    case refused(code: Int, message: String)
}
