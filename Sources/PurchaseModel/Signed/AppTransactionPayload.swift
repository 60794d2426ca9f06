/// What a signed app transaction says: how the customer came by the app (Apple's `JWSAppTransactionDecodedPayload`).
public struct AppTransactionPayload: Codable, Hashable, Sendable {
    /// Where the app was got, an environment.
    public var receiptType: String
    /// The app's number in the App Store; absent in the sandbox and in Xcode.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: BundleID
    /// The version of the app that asked; absent in copies from the server.
    public var applicationVersion: String?
    /// The store's number of that version; absent in the sandbox, in Xcode, and in copies from the server.
    public var versionExternalIdentifier: Int64?
    /// When this statement was signed.
    public var receiptCreationDate: Timestamp
    /// When it was asked for; Xcode states it.
    public var requestDate: Timestamp?
    /// When the customer first got the app.
    public var originalPurchaseDate: Timestamp?
    /// The version that the customer first got.
    public var originalApplicationVersion: String?
    /// The platform that the customer first got it on.
    public var originalPlatform: String?
    /// When the customer ordered it before it was there.
    public var preorderDate: Timestamp?
    /// One for each customer and app, the same for ever.
    public var appTransactionId: String?
    /// Binds this copy to a device: base64 of SHA-384; absent in copies from the server.
    public var deviceVerification: String?
    /// The UUID that went into ``deviceVerification``.
    public var deviceVerificationNonce: String?

    /// Creates a payload of the fields that every app transaction has.
    public init(receiptType: String, bundleId: BundleID, receiptCreationDate: Timestamp) {
        self.receiptType = receiptType
        self.bundleId = bundleId
        self.receiptCreationDate = receiptCreationDate
    }

    /// The platform that the customer first got it on, or nil for one this version does not know.
    public var platform: PurchasePlatform? { originalPlatform.flatMap { PurchasePlatform(rawValue: $0) } }
}
