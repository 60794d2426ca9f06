/// The outcome of a purchase.
public enum PurchaseOutcome: Hashable, Sendable {
    /// The purchase was charged, delivered and finished.
    case delivered(Purchase)
    /// The purchase was charged but not delivered; the transaction stays in the queue for a later attempt.
    case undelivered(Purchase, DeliveryError)
    /// The user canceled; show no message.
    case cancelled
    /// The purchase is pending until a parent approves it, possibly in a later app session.
    case pending
    /// The purchase failed, with the domain and code of the error and a sentence for the user.
    case failed(domain: String, code: Int, message: String)
}
