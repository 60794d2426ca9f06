/// The payload of a signed transaction (Apple's `JWSTransactionDecodedPayload`).
///
/// Fields to which Apple may add values have the type `String` or `Int`. For each of these fields, a computed property returns the typed
/// value, or nil for an unknown value.
///
/// Apple guarantees the presence of no field. This type requires ``signedDate``, which verification needs, and the fields that identify a
/// stored transaction: `transactionId`, `originalTransactionId`, `productId` and `purchaseDate`. Transactions that the App Store signed in
/// 2021 have no `environment`.
public struct TransactionPayload: Codable, Hashable, Sendable {
    /// The transaction identifier, which differs from ``originalTransactionId`` for renewals and restores.
    public var transactionId: TransactionID
    /// The identifier of the first transaction of the purchase.
    public var originalTransactionId: TransactionID
    /// The identifier of the purchase event of a subscription period, which is the same on all devices.
    public var webOrderLineItemId: String?
    /// The identifier of the purchased product.
    public var productId: ProductID
    /// The identifier of the subscription group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// The date when the customer was charged, or when the purchase was restored.
    public var purchaseDate: Timestamp
    /// The date when the paid subscription period ends; auto-renewable subscriptions only.
    public var expiresDate: Timestamp?
    /// The product type, as Apple spells it.
    public var type: String?
    /// The UUID with which the developer's server identifies the customer.
    public var appAccountToken: CustomerID?
    /// The customer's relation to the purchase, such as `PURCHASED` or `ASSIGNED`.
    public var inAppOwnershipType: String?
    /// The date when the store signed the transaction; a version that was signed later replaces an earlier version.
    public var signedDate: Timestamp
    /// The reason for the revocation: 1 for an issue with the app, 2 for a move to a bundle, 0 for another reason.
    public var revocationReason: Int?
    /// The date when the purchase was revoked.
    public var revocationDate: Timestamp?
    /// The kind of revocation, such as `REFUND_FULL`.
    public var revocationType: String?
    /// The refunded part of the price, in thousandths of a percent: 100000 is the full price.
    public var revocationPercentage: Int?
    /// Whether the customer upgraded to another subscription; the App Store omits the value false, and Xcode includes it.
    public var isUpgraded: Bool?
    /// The kind of offer: 1 introductory, 2 promotional, 3 offer code, 4 win-back, 5 retention.
    public var offerType: Int?
    /// The identifier of the offer; introductory offers have none.
    public var offerIdentifier: String?
    /// The payment mode of the offer, such as `FREE_TRIAL`.
    public var offerDiscountType: String?
    /// The total duration of the offer, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// The storefront's country or region code, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// The storefront's identifier.
    public var storefrontId: String?
    /// The cause of the transaction: `PURCHASE` or `RENEWAL`.
    public var transactionReason: String?
    /// The price of the whole quantity, in thousandths of the currency unit; for a multi-seat purchase, the average price of a seat, so that
    /// ``total`` is the amount to add.
    public var price: Int64?
    /// The ISO 4217 code of the currency of ``price``.
    public var currency: String?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionId: String?
    /// The billing plan of the subscription, such as `MONTHLY`.
    public var billingPlanType: String?
    /// The commitment that the transaction's charge belongs to.
    public var commitmentInfo: TransactionCommitmentInfo?
    /// The seats of the transaction; only transactions of multi-seat purchases have them.
    public var multiSeatInfo: TransactionMultiSeatInfo?
    /// The reason why several transactions represent one period: `SEAT_ADDITION`; each transaction of such a period states it.
    public var additionalTransactionReason: String?
    /// The identifier of the bundle whose purchase or renewal caused the transaction.
    public var bundleProductId: ProductID?
    /// The identifier of the bundle's subscription group.
    public var bundleSubscriptionGroupIdentifier: SubscriptionGroupID?
    /// The identifier of the bundle's transaction.
    public var bundleTransactionId: TransactionID?
    /// The identifier of the bundle's first transaction.
    public var bundleOriginalTransactionId: TransactionID?
    /// The information that only Advanced Commerce transactions have.
    public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// The original transaction identifier that the subscription had before its migration to Advanced Commerce.
    public var previousOriginalTransactionId: TransactionID?
    /// The SHA-384 hash, in base64, that binds the transaction to a device; absent in data from the App Store Server API.
    public var deviceVerification: String?
    /// The UUID that is part of the hashed input of ``deviceVerification``.
    public var deviceVerificationNonce: String?

    // These values are optional, so that a field that is absent in the signed payload is not encoded either.
    /// The bundle identifier that the payload states; nil when the field is absent.
    package private(set) var statedBundleID: BundleID?
    private var statedEnvironment: String?
    private var statedOriginalPurchaseDate: Timestamp?
    private var statedQuantity: Int?

    /// The bundle identifier of the app that offered the purchase; empty when the field is absent.
    public var bundleId: BundleID {
        get { statedBundleID ?? BundleID("") }
        set { statedBundleID = newValue.rawValue.isEmpty ? nil : newValue }
    }

    /// The server environment of the purchase; empty when the field is absent, as in transactions of 2021, and the environment unknown.
    public var environment: String {
        get { statedEnvironment ?? "" }
        set { statedEnvironment = newValue.isEmpty ? nil : newValue }
    }

    /// The purchase date of the original transaction; ``purchaseDate`` when the field is absent.
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
        self.statedBundleID = bundleId
        self.productId = productId
        self.purchaseDate = purchaseDate
        self.statedOriginalPurchaseDate = originalPurchaseDate
        self.statedQuantity = quantity
        self.type = type
        self.inAppOwnershipType = "PURCHASED"
        self.signedDate = signedDate
        self.statedEnvironment = environment
    }

    private enum CodingKeys: String, CodingKey {
        case transactionId
        case originalTransactionId
        case webOrderLineItemId
        case statedBundleID = "bundleId"
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
        case statedEnvironment = "environment"
        case storefront
        case storefrontId
        case transactionReason
        case price
        case currency
        case appTransactionId
        case billingPlanType
        case commitmentInfo
        case multiSeatInfo
        case additionalTransactionReason
        case bundleProductId
        case bundleSubscriptionGroupIdentifier
        case bundleTransactionId
        case bundleOriginalTransactionId
        case advancedCommerceInfo
        case previousOriginalTransactionId
        case deviceVerification
        case deviceVerificationNonce
        case statedOriginalPurchaseDate = "originalPurchaseDate"
        case statedQuantity = "quantity"
    }
}

extension TransactionPayload {
    /// The payload without the members that differ between two signatures of the same transaction.
    package var facts: TransactionPayload {
        var copy = self
        copy.signedDate = Timestamp(milliseconds: 0)
        copy.deviceVerification = nil
        copy.deviceVerificationNonce = nil
        return copy
    }

    /// The ``facts`` without the members that the App Store added in 2026, by which earlier servers identified events; nil if there are none.
    package var earlierFacts: TransactionPayload? {
        var copy = facts
        copy.multiSeatInfo = nil
        copy.additionalTransactionReason = nil
        copy.bundleProductId = nil
        copy.bundleSubscriptionGroupIdentifier = nil
        copy.bundleTransactionId = nil
        copy.bundleOriginalTransactionId = nil
        copy.advancedCommerceInfo = advancedCommerceInfo?.withoutMembersOf2026
        return copy == facts ? nil : copy
    }
}
