/// Something that the store wants the customer to be told in the app (`Message`).
public struct StoreMessage: Codable, Hashable, Sendable {
    /// What it is about; raw values are what StoreKit calls them.
    public enum Reason: String, Codable, Sendable {
        /// Anything else.
        case generic
        /// A subscription gets dearer and the customer has to agree.
        case priceIncreaseConsent
        /// A renewal could not be paid.
        case billingIssue
        /// The customer may come back at a lower price.
        case winBackOffer
    }

    /// The same for the same matter; a device that has shown it passes over it.
    public var id: String
    /// What it is about.
    public var reason: Reason
    /// The product.
    public var productID: ProductID
    /// The first transaction of the subscription.
    public var originalTransactionID: TransactionID

    /// Creates a message.
    public init(id: String, reason: Reason, productID: ProductID, originalTransactionID: TransactionID) {
        self.id = id
        self.reason = reason
        self.productID = productID
        self.originalTransactionID = originalTransactionID
    }
}
