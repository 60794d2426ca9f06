/// A transaction in `in_app` or `latest_receipt_info` of a `verifyReceipt` response; every value is text in JSON.
public struct VerifyReceiptPurchase: Codable, Hashable, Sendable {
    /// The purchased quantity, from 1 to 10.
    public var quantity: Int
    /// The product identifier.
    public var productID: ProductID
    /// The transaction identifier.
    public var transactionID: TransactionID
    /// The identifier of the first transaction of the purchase.
    public var originalTransactionID: TransactionID
    /// The date when the customer was charged.
    public var purchaseDate: DateTriplet?
    /// The purchase date of the original transaction.
    public var originalPurchaseDate: DateTriplet?
    /// The date when the paid subscription period ends; auto-renewable subscriptions only.
    public var expiresDate: DateTriplet?
    /// The date when the purchase was refunded.
    public var cancellationDate: DateTriplet?
    /// The reason for the refund: `1` for an issue with the app, `0` for another reason.
    public var cancellationReason: String?
    /// The identifier of the purchase event of a subscription period.
    public var webOrderLineItemID: String?
    /// The identifier of the subscription group; only in `latest_receipt_info`.
    public var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// Whether the subscription period is a free trial.
    public var isTrialPeriod = false
    /// Whether the subscription period has an introductory price.
    public var isInIntroOfferPeriod = false
    /// The identifier of the applied promotional offer.
    public var promotionalOfferID: String?
    /// The customer's relation to the purchase: `PURCHASED` or `FAMILY_SHARED`.
    public var ownershipType: String?
    /// The reference name of the redeemed offer code; absent in `in_app`.
    public var offerCodeRefName: String?
    /// Whether the customer upgraded to another subscription; absent in `in_app`.
    public var isUpgraded = false
    /// The UUID with which the developer's server identifies the customer; absent in `in_app`.
    public var appAccountToken: CustomerID?

    /// Creates a transaction of a receipt.
    public init(quantity: Int, productID: ProductID, transactionID: TransactionID, originalTransactionID: TransactionID) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
    }

    private enum CodingKeys: String, CodingKey {
        case quantity
        case productID = "product_id"
        case transactionID = "transaction_id"
        case originalTransactionID = "original_transaction_id"
        case cancellationReason = "cancellation_reason"
        case webOrderLineItemID = "web_order_line_item_id"
        case subscriptionGroupIdentifier = "subscription_group_identifier"
        case ownershipType = "in_app_ownership_type"
        case isTrialPeriod = "is_trial_period"
        case isInIntroOfferPeriod = "is_in_intro_offer_period"
        case promotionalOfferID = "promotional_offer_id"
        case offerCodeRefName = "offer_code_ref_name"
        case isUpgraded = "is_upgraded"
        case appAccountToken = "app_account_token"
    }

    /// Decodes a transaction of a receipt.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .quantity)
        guard let quantity = Int(text) else {
            throw DecodingError.dataCorruptedError(forKey: .quantity, in: container, debugDescription: "The quantity is not an integer.")
        }
        self.quantity = quantity
        productID = try container.decode(ProductID.self, forKey: .productID)
        transactionID = try container.decode(TransactionID.self, forKey: .transactionID)
        originalTransactionID = try container.decodeIfPresent(TransactionID.self, forKey: .originalTransactionID) ?? transactionID
        cancellationReason = try container.decodeIfPresent(String.self, forKey: .cancellationReason)
        webOrderLineItemID = try container.decodeIfPresent(String.self, forKey: .webOrderLineItemID)
        subscriptionGroupIdentifier = try container.decodeIfPresent(SubscriptionGroupID.self, forKey: .subscriptionGroupIdentifier)
        ownershipType = try container.decodeIfPresent(String.self, forKey: .ownershipType)
        isTrialPeriod = try container.decodeIfPresent(String.self, forKey: .isTrialPeriod) == "true"
        isInIntroOfferPeriod = try container.decodeIfPresent(String.self, forKey: .isInIntroOfferPeriod) == "true"
        promotionalOfferID = try container.decodeIfPresent(String.self, forKey: .promotionalOfferID)
        offerCodeRefName = try container.decodeIfPresent(String.self, forKey: .offerCodeRefName)
        isUpgraded = try container.decodeIfPresent(String.self, forKey: .isUpgraded) == "true"
        appAccountToken = try container.decodeIfPresent(CustomerID.self, forKey: .appAccountToken)
        purchaseDate = try DateTriplet(named: "purchase_date", from: decoder)
        originalPurchaseDate = try DateTriplet(named: "original_purchase_date", from: decoder)
        expiresDate = try DateTriplet(named: "expires_date", from: decoder)
        cancellationDate = try DateTriplet(named: "cancellation_date", from: decoder)
    }

    /// Encodes a transaction of a receipt.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(String(quantity), forKey: .quantity)
        try container.encode(productID, forKey: .productID)
        try container.encode(transactionID, forKey: .transactionID)
        try container.encode(originalTransactionID, forKey: .originalTransactionID)
        try container.encodeIfPresent(cancellationReason, forKey: .cancellationReason)
        try container.encodeIfPresent(webOrderLineItemID, forKey: .webOrderLineItemID)
        try container.encodeIfPresent(subscriptionGroupIdentifier, forKey: .subscriptionGroupIdentifier)
        try container.encodeIfPresent(ownershipType, forKey: .ownershipType)
        try container.encode(isTrialPeriod ? "true" : "false", forKey: .isTrialPeriod)
        if expiresDate != nil || isInIntroOfferPeriod {
            try container.encode(isInIntroOfferPeriod ? "true" : "false", forKey: .isInIntroOfferPeriod)
        }
        try container.encodeIfPresent(promotionalOfferID, forKey: .promotionalOfferID)
        try container.encodeIfPresent(offerCodeRefName, forKey: .offerCodeRefName)
        if isUpgraded {
            // `verifyReceipt` omits `is_upgraded` when the value is false.
            try container.encode("true", forKey: .isUpgraded)
        }
        try container.encodeIfPresent(appAccountToken, forKey: .appAccountToken)
        try purchaseDate?.encode(named: "purchase_date", to: encoder)
        try originalPurchaseDate?.encode(named: "original_purchase_date", to: encoder)
        try expiresDate?.encode(named: "expires_date", to: encoder)
        try cancellationDate?.encode(named: "cancellation_date", to: encoder)
    }
}
