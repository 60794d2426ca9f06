import PurchaseModel

/// The claims of a download token: the product, the purchase, and the expiration date.
struct TicketClaims: Codable, Hashable, Sendable {
    /// The product whose content the token permits to fetch.
    var product: ProductID
    /// The purchase that the token is based on; its revocation invalidates the token.
    var purchase: TransactionID
    /// The expiration date of the token.
    var expires: Timestamp
}
