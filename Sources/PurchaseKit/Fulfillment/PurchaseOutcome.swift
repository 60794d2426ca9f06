/// The outcome of a purchase.
public enum PurchaseOutcome: Hashable, Sendable {
    /// The purchase was delivered, and its transaction finished.
    case delivered(Purchase)
    /// The purchase was completed but not delivered; its transaction stays in the queue for a later attempt.
    case undelivered(Purchase, DeliveryError)
    /// The user canceled the purchase; the app should show no message.
    case cancelled
    /// The purchase is pending in Ask to Buy; a parent may approve it in a later app session.
    case pending
    /// The purchase failed; the associated values are the error's domain and code and a sentence for the user.
    case failed(domain: String, code: Int, message: String)
}
