/// An app's delivery of purchases, such as credits, features or content.
public protocol Delivery: Sendable {
    /// Delivers a purchase and returns when the effect is durable; the transaction is finished only then.
    ///
    /// The method may be called again with the same transaction, for example after a crash; a repeated call must have no further effect.
    func deliver(_ purchase: Purchase) async throws(DeliveryError)
}
