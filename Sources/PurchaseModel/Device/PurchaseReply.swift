/// What became of a payment; exactly one of the three.
public enum PurchaseReply: Codable, Hashable, Sendable {
    /// It was charged, or had been before.
    case purchased(transaction: SignedTransaction)
    /// A parent must approve it first.
    case deferred
    /// The store will not sell; the code is one of `SKError`'s.
    case refused(code: Int, message: String)
}
