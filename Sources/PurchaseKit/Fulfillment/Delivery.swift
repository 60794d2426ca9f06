/// Delivers purchases to the user of an app, such as credits, features or content.
public protocol Delivery: Sendable {
    /// Delivers a purchase, and returns when the effect is durable.
    ///
    /// The transaction is finished after the method returns. The method may be called again with the same transaction, for example after
    /// a crash; a repeated call must have no further effect.
    ///
    /// - Throws: ``DeliveryError`` if the purchase is not delivered; the transaction then stays in the queue.
    func deliver(_ purchase: Purchase) async throws(DeliveryError)
}
