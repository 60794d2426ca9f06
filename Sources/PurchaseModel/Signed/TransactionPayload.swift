/// The payload of a signed transaction (Apple's `JWSTransactionDecodedPayload`).
///
/// Values that Apple may extend stay text; a computed property returns the typed value, or nil for a value unknown to this version.
///
/// Apple guarantees no field. This type requires the fields that verification needs (`bundleId`, `environment`, `signedDate`), and the
/// fields that identify a transaction for storage: the transaction, its original transaction, the product and the purchase date.
public struct TransactionPayload: Codable, Hashable, Sendable {
    /// The transaction identifier, which differs from the original one for renewals and restores.
    public var transactionId: TransactionID
    /// The identifier of the first transaction of this purchase.
    public var originalTransactionId: TransactionID
    /// The identifier of a subscription period's purchase, the same across devices.
    public var webOrderLineItemId: String?
    /// The bundle identifier of the app that offered the purchase.
    public var bundleId: BundleID
    /// The identifier of the purchased product.
    public var productId: ProductID
    /// The identifier of the subscription group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// The date when the customer was charged, or the purchase was restored.
    public var purchaseDate: Timestamp
    /// The date when this paid period ends.
    public var expiresDate: Timestamp?
    /// The product type, as Apple spells it.
    public var type: String?
    /// The customer of the developer's server.
    public var appAccountToken: CustomerID?
    /// `PURCHASED` or `FAMILY_SHARED`.
    public var inAppOwnershipType: String?
    /// The date of the signature; a later signed transaction with the same identifier replaces this one.
    public var signedDate: Timestamp
    /// The reason for the revocation: 1 for an issue with the app, 0 for another reason.
    public var revocationReason: Int?
    /// The date when the purchase was revoked.
    public var revocationDate: Timestamp?
    /// The kind of revocation, such as `REFUND_FULL`.
    public var revocationType: String?
    /// The refunded part of the price, in thousandths of a percent.
    public var revocationPercentage: Int?
    /// Whether the customer upgraded to another subscription; the App Store includes only true, Xcode also includes false.
    public var isUpgraded: Bool?
    /// The kind of offer: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var offerType: Int?
    /// The offer identifier; introductory offers have none.
    public var offerIdentifier: String?
    /// The payment mode of the offer, such as `FREE_TRIAL`.
    public var offerDiscountType: String?
    /// The total duration of the offer, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// The server environment of the purchase.
    public var environment: String
    /// The storefront's country or region code, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// The storefront's identifier.
    public var storefrontId: String?
    /// `PURCHASE` or `RENEWAL`.
    public var transactionReason: String?
    /// The total price, in thousandths of the currency unit.
    public var price: Int64?
    /// ISO 4217 code of `price`.
    public var currency: String?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionId: String?
    /// The billing plan of the subscription, such as `MONTHLY`.
    public var billingPlanType: String?
    /// The commitment that this charge belongs to.
    public var commitmentInfo: TransactionCommitmentInfo?
    /// The additional information of Advanced Commerce.
    public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// The original transaction identifier before the migration to Advanced Commerce.
    public var previousOriginalTransactionId: TransactionID?
    /// The value that binds this copy to a device: base64 of SHA-384; present only in copies from the device.
    public var deviceVerification: String?
    /// The UUID that is part of the input of ``deviceVerification``.
    public var deviceVerificationNonce: String?

    // The signed value stays optional, so that an absent field stays absent.
    private var statedOriginalPurchaseDate: Timestamp?
    private var statedQuantity: Int?

    /// The purchase date of the original transaction; this transaction's date when the field is absent.
    public var originalPurchaseDate: Timestamp {
        get { statedOriginalPurchaseDate ?? purchaseDate }
        set { statedOriginalPurchaseDate = newValue }
    }

    /// The purchased quantity; 1 when the field is absent.
    public var quantity: Int {
        get { statedQuantity ?? 1 }
        set { statedQuantity = newValue }
    }

    /// Creates a payload with the fields that every transaction has.
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
