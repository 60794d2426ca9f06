/// What became of a wish to buy; always exactly one of these.
public enum PurchaseOutcome: Hashable, Sendable {
    /// Paid, delivered and finished.
    case delivered(Purchase)
    /// Paid, but not delivered yet; it stays in the queue and is tried again.
    case undelivered(Purchase, DeliveryError)
    /// The user cancelled; no message is due.
    case cancelled
    /// Somebody else has to approve it; it comes later, perhaps in another launch.
    case pending
    /// Not paid; the domain, the code, and a sentence that can be shown.
    case failed(domain: String, code: Int, message: String)
}
