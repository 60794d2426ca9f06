/// What an app does with a purchase: credit it, enable it, fetch it.
public protocol Delivery: Sendable {
    /// Delivers a purchase and returns when the effect is durable; the transaction is finished only then.
    ///
    /// It may be called again with the same transaction, after a crash for example, and must have its effect once.
    func deliver(_ purchase: Purchase) async throws(DeliveryError)
}
