/// The payload of a signed app transaction: the customer's acquisition of the app (Apple's `JWSAppTransactionDecodedPayload`).
public struct AppTransactionPayload: Codable, Hashable, Sendable {
    /// The server environment of the app transaction.
    public var receiptType: String
    /// The app's Apple ID in the App Store; absent in the sandbox and in Xcode.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The version of the app that requested the app transaction; absent in app transactions from the App Store Server API.
    public var applicationVersion: String?
    /// The App Store's identifier of ``applicationVersion``; absent in the sandbox, in Xcode, and in the App Store Server API.
    public var versionExternalIdentifier: Int64?
    /// The date when the store signed the app transaction.
    public var receiptCreationDate: Timestamp
    /// The date when the app requested the app transaction; present only in Xcode.
    public var requestDate: Timestamp?
    /// The date when the customer first acquired the app.
    public var originalPurchaseDate: Timestamp?
    /// The app version that the customer first acquired.
    public var originalApplicationVersion: String?
    /// The platform on which the customer first acquired the app.
    public var originalPlatform: String?
    /// The date when the customer preordered the app.
    public var preorderDate: Timestamp?
    /// The store of the app's acquisition, such as `CONSUMER`; absent before 2026.
    public var storeType: String?
    /// The date when the acquisition of the app was revoked.
    public var appRevocationDate: Timestamp?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionId: String?
    /// The SHA-384 hash, in base64, that binds the app transaction to a device; absent in data from the App Store Server API.
    public var deviceVerification: String?
    /// The UUID that is part of the hashed input of ``deviceVerification``.
    public var deviceVerificationNonce: String?

    /// Creates a payload with the fields that every app transaction has.
    public init(receiptType: String, bundleId: BundleID, receiptCreationDate: Timestamp) {
        self.receiptType = receiptType
        self.bundleId = bundleId
        self.receiptCreationDate = receiptCreationDate
    }

    /// The platform on which the customer first acquired the app; nil when the field is absent or has an unknown value.
    public var platform: PurchasePlatform? { originalPlatform.flatMap { PurchasePlatform(rawValue: $0) } }

    /// The store of the app's acquisition; ``AppStoreType/consumer`` when the field is absent, nil when it has an unknown value.
    public var store: AppStoreType? { AppStoreType(rawValue: storeType ?? AppStoreType.consumer.rawValue) }
}

/// The store in which a customer acquired an app.
///
/// Source: Apple's `AppTransaction.StoreType`. Apple documents the spelling of `CONSUMER` only.
public enum AppStoreType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The App Store.
    case consumer = "CONSUMER"
    /// The volume purchasing of an educational organization.
    case education = "EDUCATION"
    /// The volume purchasing of a company.
    case enterprise = "ENTERPRISE"
}
