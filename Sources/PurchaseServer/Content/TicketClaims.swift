import PurchaseModel

/// What a ticket says: whose content may be fetched, on which purchase it rests, and until when.
struct TicketClaims: Codable, Hashable, Sendable {
    /// The product whose content may be fetched.
    var product: ProductID
    /// The purchase it rests on; once that is revoked, the ticket is worth nothing.
    var purchase: TransactionID
    /// When it ends.
    var expires: Timestamp
}
