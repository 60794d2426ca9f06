/// The member `receipt` of a `verifyReceipt` response: the contents of an app receipt.
public struct VerifyReceiptBody: Codable, Hashable, Sendable {
    /// The type of the receipt, such as `Production` or `ProductionSandbox`.
    public var receiptType: String
    /// The app's Apple ID in the App Store; 0 in the sandbox.
    public var adamID: Int64
    /// The app's Apple ID in the App Store, a second time; 0 in the sandbox.
    public var appItemID: Int64
    /// The app's bundle identifier.
    public var bundleID: BundleID
    /// The app's version.
    public var applicationVersion: String
    /// The identifier of the app's download; 0 in the sandbox.
    public var downloadID: Int64?
    /// The App Store's identifier of the app version; 0 in the sandbox.
    public var versionExternalIdentifier: Int64?
    /// The creation date of the receipt.
    public var receiptCreationDate: DateTriplet?
    /// The date when the `verifyReceipt` request was processed.
    public var requestDate: DateTriplet?
    /// The date when the customer first purchased the app.
    public var originalPurchaseDate: DateTriplet?
    /// The app version that the customer first purchased; `1.0` in the sandbox.
    public var originalApplicationVersion: String?
    /// The date when the customer preordered the app.
    public var preorderDate: DateTriplet?
    /// The expiration date of the receipt; only for apps from the Volume Purchase Program.
    public var expirationDate: DateTriplet?
    /// The purchases that the receipt lists.
    public var inApp: [VerifyReceiptPurchase]

    /// Creates the body of a receipt.
    public init(receiptType: String, bundleID: BundleID, applicationVersion: String, inApp: [VerifyReceiptPurchase]) {
        self.receiptType = receiptType
        self.adamID = 0
        self.appItemID = 0
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.inApp = inApp
    }

    private enum CodingKeys: String, CodingKey {
        case receiptType = "receipt_type"
        case adamID = "adam_id"
        case appItemID = "app_item_id"
        case bundleID = "bundle_id"
        case applicationVersion = "application_version"
        case downloadID = "download_id"
        case versionExternalIdentifier = "version_external_identifier"
        case originalApplicationVersion = "original_application_version"
        case inApp = "in_app"
    }

    /// Decodes the body of a receipt.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        receiptType = try container.decode(String.self, forKey: .receiptType)
        adamID = try container.decodeIfPresent(Int64.self, forKey: .adamID) ?? 0
        appItemID = try container.decodeIfPresent(Int64.self, forKey: .appItemID) ?? 0
        bundleID = try container.decode(BundleID.self, forKey: .bundleID)
        applicationVersion = try container.decode(String.self, forKey: .applicationVersion)
        downloadID = try container.decodeIfPresent(Int64.self, forKey: .downloadID)
        versionExternalIdentifier = try container.decodeIfPresent(Int64.self, forKey: .versionExternalIdentifier)
        originalApplicationVersion = try container.decodeIfPresent(String.self, forKey: .originalApplicationVersion)
        inApp = try container.decodeIfPresent([VerifyReceiptPurchase].self, forKey: .inApp) ?? []
        receiptCreationDate = try DateTriplet(named: "receipt_creation_date", from: decoder)
        requestDate = try DateTriplet(named: "request_date", from: decoder)
        originalPurchaseDate = try DateTriplet(named: "original_purchase_date", from: decoder)
        preorderDate = try DateTriplet(named: "preorder_date", from: decoder)
        expirationDate = try DateTriplet(named: "expiration_date", from: decoder)
    }

    /// Encodes the body of a receipt.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(receiptType, forKey: .receiptType)
        try container.encode(adamID, forKey: .adamID)
        try container.encode(appItemID, forKey: .appItemID)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(applicationVersion, forKey: .applicationVersion)
        try container.encodeIfPresent(downloadID, forKey: .downloadID)
        try container.encodeIfPresent(versionExternalIdentifier, forKey: .versionExternalIdentifier)
        try container.encodeIfPresent(originalApplicationVersion, forKey: .originalApplicationVersion)
        try container.encode(inApp, forKey: .inApp)
        try receiptCreationDate?.encode(named: "receipt_creation_date", to: encoder)
        try requestDate?.encode(named: "request_date", to: encoder)
        try originalPurchaseDate?.encode(named: "original_purchase_date", to: encoder)
        try preorderDate?.encode(named: "preorder_date", to: encoder)
        try expirationDate?.encode(named: "expiration_date", to: encoder)
    }
}
