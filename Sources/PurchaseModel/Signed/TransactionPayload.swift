/// What a signed transaction says (Apple's `JWSTransactionDecodedPayload`).
///
/// Values that Apple may extend stay text; the typed reading is a computed property that is nil for values of the future.
public struct TransactionPayload: Codable, Hashable, Sendable {
    /// The transaction; differs from the original for renewals and restores.
    public var transactionId: TransactionID
    /// The first transaction of this purchase.
    public var originalTransactionId: TransactionID
    /// The purchase of one subscription period, for reconciling across devices.
    public var webOrderLineItemId: String?
    /// The app it was bought in.
    public var bundleId: BundleID
    /// The product that was bought.
    public var productId: ProductID
    /// The subscription's group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// When the customer was charged, or the purchase was restored.
    public var purchaseDate: Timestamp
    /// When the original transaction was made.
    public var originalPurchaseDate: Timestamp
    /// When this paid period ends.
    public var expiresDate: Timestamp?
    /// How many were bought.
    public var quantity: Int
    /// The kind of product, as Apple spells it.
    public var type: String
    /// The customer at the developer's own server.
    public var appAccountToken: CustomerID?
    /// `PURCHASED` or `FAMILY_SHARED`.
    public var inAppOwnershipType: String
    /// When this statement was signed; a later one about the same transaction replaces it.
    public var signedDate: Timestamp
    /// Why the purchase was taken back: 1 for a fault of the app, 0 for another reason.
    public var revocationReason: Int?
    /// When the purchase was taken back.
    public var revocationDate: Timestamp?
    /// Where the purchase was made.
    public var environment: String
    /// The country's store, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// The store's number.
    public var storefrontId: String?
    /// `PURCHASE` or `RENEWAL`.
    public var transactionReason: String?
    /// What was paid in all, in thousandths.
    public var price: Int64?
    /// ISO 4217 code of `price`.
    public var currency: String?

    /// Creates a payload of the fields that every transaction has.
    public init(
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        bundleId: BundleID,
        productId: ProductID,
        purchaseDate: Timestamp,
        originalPurchaseDate: Timestamp,
        quantity: Int,
        type: String,
        signedDate: Timestamp,
        environment: String
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.quantity = quantity
        self.type = type
        self.inAppOwnershipType = "PURCHASED"
        self.signedDate = signedDate
        self.environment = environment
    }

    /// The kind of product, or nil for one this version does not know.
    public var productType: ProductType? { ProductType(rawValue: type) }

    /// Whether the purchase was refunded or otherwise taken back.
    public var isRevoked: Bool { revocationDate != nil }
}
