/// The body of a version 1 notification, which is unsigned and authenticated only by the shared secret.
public struct NotificationV1: Codable, Hashable, Sendable {
    /// The notification type, such as `DID_RENEW`.
    public var notificationType: String
    /// The server environment: `Sandbox` or `PROD`.
    public var environment: String
    /// The app's shared secret.
    public var password: String?
    /// The app's bundle identifier.
    public var bundleID: BundleID
    /// The app's version.
    public var bundleVersion: String
    /// The identifier of the product that the subscription renews with.
    public var autoRenewProductID: ProductID?
    /// The auto-renew status: `true` or `false`, as text.
    public var autoRenewStatus: String?
    /// The date when the customer enabled or disabled auto-renew.
    public var autoRenewStatusChangeDate: DateTriplet?
    /// The reason that the subscription expired: `1` to `5`, as in signed renewal info.
    public var expirationIntent: String?
    /// The original transaction identifier of the purchase.
    public var originalTransactionID: TransactionID
    /// The newest transactions and the renewal info of the customer's subscriptions.
    public var unifiedReceipt: UnifiedReceipt

    /// Creates a notification.
    public init(
        _ type: NotificationV1Type, environment: AppEnvironment, password: String?, bundleID: BundleID, bundleVersion: String,
        originalTransactionID: TransactionID, unifiedReceipt: UnifiedReceipt
    ) {
        notificationType = type.rawValue
        self.environment = environment == .production ? "PROD" : environment.rawValue
        self.password = password
        self.bundleID = bundleID
        self.bundleVersion = bundleVersion
        self.originalTransactionID = originalTransactionID
        self.unifiedReceipt = unifiedReceipt
    }

    private enum CodingKeys: String, CodingKey {
        case notificationType = "notification_type"
        case environment
        case password
        case bundleID = "bid"
        case bundleVersion = "bvrs"
        case autoRenewProductID = "auto_renew_product_id"
        case autoRenewStatus = "auto_renew_status"
        case expirationIntent = "expiration_intent"
        case originalTransactionID = "original_transaction_id"
        case unifiedReceipt = "unified_receipt"
    }

    private static let changeDate = "auto_renew_status_change_date"

    /// Decodes a notification.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        notificationType = try container.decode(String.self, forKey: .notificationType)
        environment = try container.decode(String.self, forKey: .environment)
        password = try container.decodeIfPresent(String.self, forKey: .password)
        bundleID = try container.decode(BundleID.self, forKey: .bundleID)
        bundleVersion = try container.decode(String.self, forKey: .bundleVersion)
        autoRenewProductID = try container.decodeIfPresent(ProductID.self, forKey: .autoRenewProductID)
        autoRenewStatus = try container.decodeIfPresent(String.self, forKey: .autoRenewStatus)
        expirationIntent = try container.decodeIfPresent(String.self, forKey: .expirationIntent)
        originalTransactionID = try container.decode(TransactionID.self, forKey: .originalTransactionID)
        unifiedReceipt = try container.decode(UnifiedReceipt.self, forKey: .unifiedReceipt)
        autoRenewStatusChangeDate = try DateTriplet(named: Self.changeDate, from: decoder)
    }

    /// Encodes a notification.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notificationType, forKey: .notificationType)
        try container.encode(environment, forKey: .environment)
        try container.encodeIfPresent(password, forKey: .password)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(bundleVersion, forKey: .bundleVersion)
        try container.encodeIfPresent(autoRenewProductID, forKey: .autoRenewProductID)
        try container.encodeIfPresent(autoRenewStatus, forKey: .autoRenewStatus)
        try container.encodeIfPresent(expirationIntent, forKey: .expirationIntent)
        try container.encode(originalTransactionID, forKey: .originalTransactionID)
        try container.encode(unifiedReceipt, forKey: .unifiedReceipt)
        try autoRenewStatusChangeDate?.encode(named: Self.changeDate, to: encoder)
    }
}
