import PurchaseModel

/// The claims of a download token: the product, the purchase, and the expiration date.
struct TicketClaims: Codable, Hashable, Sendable {
    /// The product whose content the token gives access to.
    var product: ProductID
    /// The `originalTransactionId` of the purchase for which the token was issued; a refund of the purchase invalidates the token.
    var purchase: TransactionID
    /// The expiration date of the token.
    var expires: Timestamp
}
