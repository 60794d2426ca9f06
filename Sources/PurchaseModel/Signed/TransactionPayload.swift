/// What a signed transaction says (Apple's `JWSTransactionDecodedPayload`).
///
/// Values that Apple may extend stay text; the typed reading is a computed property that is nil for values of the future.
///
/// Apple promises no field. Required here is what a verifier judges by (`bundleId`, `environment`, `signedDate`), and what
/// nobody could file the statement without: which transaction of which purchase, of what, and when.
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
    /// When this paid period ends.
    public var expiresDate: Timestamp?
    /// The kind of product, as Apple spells it.
    public var type: String?
    /// The customer at the developer's own server.
    public var appAccountToken: CustomerID?
    /// `PURCHASED` or `FAMILY_SHARED`.
    public var inAppOwnershipType: String?
    /// When this statement was signed; a later one about the same transaction replaces it.
    public var signedDate: Timestamp
    /// Why the purchase was taken back: 1 for a fault of the app, 0 for another reason.
    public var revocationReason: Int?
    /// When the purchase was taken back.
    public var revocationDate: Timestamp?
    /// How the purchase was taken back, such as `REFUND_FULL`.
    public var revocationType: String?
    /// How much of the price was paid back, in thousandths of a percent.
    public var revocationPercentage: Int?
    /// Whether the customer upgraded to another subscription; the store says so only when it is true, Xcode also says false.
    public var isUpgraded: Bool?
    /// The kind of offer: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var offerType: Int?
    /// Which offer; introductory ones have no identifier.
    public var offerIdentifier: String?
    /// How the offer is paid, such as `FREE_TRIAL`.
    public var offerDiscountType: String?
    /// How long the offer lasts in all, as an ISO 8601 duration.
    public var offerPeriod: String?
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
    /// One for each customer and app, the same for ever.
    public var appTransactionId: String?
    /// How the subscription is charged for, such as `MONTHLY`.
    public var billingPlanType: String?
    /// The commitment that this charge belongs to.
    public var commitmentInfo: TransactionCommitmentInfo?
    /// What Advanced Commerce says beyond.
    public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// The purchase that was moved to Advanced Commerce.
    public var previousOriginalTransactionId: TransactionID?
    /// Binds this copy to a device: base64 of SHA-384; only in copies obtained on the device.
    public var deviceVerification: String?
    /// The UUID that went into ``deviceVerification``.
    public var deviceVerificationNonce: String?

    // As stated, so that what is absent stays absent.
    private var statedOriginalPurchaseDate: Timestamp?
    private var statedQuantity: Int?

    /// When the original transaction was made; this one's date where that is not stated.
    public var originalPurchaseDate: Timestamp {
        get { statedOriginalPurchaseDate ?? purchaseDate }
        set { statedOriginalPurchaseDate = newValue }
    }

    /// How many were bought; one where that is not stated.
    public var quantity: Int {
        get { statedQuantity ?? 1 }
        set { statedQuantity = newValue }
    }

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
        self.statedOriginalPurchaseDate = originalPurchaseDate
        self.statedQuantity = quantity
        self.type = type
        self.inAppOwnershipType = "PURCHASED"
        self.signedDate = signedDate
        self.environment = environment
    }

    private enum CodingKeys: String, CodingKey {
        case transactionId
        case originalTransactionId
        case webOrderLineItemId
        case bundleId
        case productId
        case subscriptionGroupIdentifier
        case purchaseDate
        case expiresDate
        case type
        case appAccountToken
        case inAppOwnershipType
        case signedDate
        case revocationReason
        case revocationDate
        case revocationType
        case revocationPercentage
        case isUpgraded
        case offerType
        case offerIdentifier
        case offerDiscountType
        case offerPeriod
        case environment
        case storefront
        case storefrontId
        case transactionReason
        case price
        case currency
        case appTransactionId
        case billingPlanType
        case commitmentInfo
        case advancedCommerceInfo
        case previousOriginalTransactionId
        case deviceVerification
        case deviceVerificationNonce
        case statedOriginalPurchaseDate = "originalPurchaseDate"
        case statedQuantity = "quantity"
    }
}
