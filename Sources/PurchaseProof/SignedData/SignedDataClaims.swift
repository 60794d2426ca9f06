public import PurchaseModel

/// What a signed payload says about where it belongs: what checks ask about.
public struct SignedDataClaims: Sendable {
    /// What it is about.
    public let kind: SignedDataKind
    /// When it says it was signed.
    public let signedDate: Timestamp
    /// The environment it says it comes from, as spelled on the wire.
    public let environment: String
    /// The app it says it is about; nil when its kind does not say.
    public internal(set) var bundleID: BundleID?
    /// The app's number in the App Store, where it is stated.
    public internal(set) var appAppleID: Int64?
    /// Binds a copy to a device, where it is one that was obtained there.
    public internal(set) var deviceVerification: String?
    /// The UUID that went into the device verification.
    public internal(set) var deviceVerificationNonce: String?

    /// Where the date lies.
    var datePlace: StaticString = "payload.signedDate"
    /// The object that states bundle and number.
    var subject: StaticString = "payload"
    /// Where the environment lies.
    var environmentPlace: StaticString = "payload.environment"

    init(kind: SignedDataKind, signedDate: Timestamp, environment: String) {
        self.kind = kind
        self.signedDate = signedDate
        self.environment = environment
    }
}
