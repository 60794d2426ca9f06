/// The payload of signed data of an unknown kind, of which only the app, the environment and the date are decoded.
///
/// The App Store can introduce new kinds of signed data at any time. The signature of an unknown kind can be verified if the payload
/// contains the signature date and the environment.
public struct OtherPayload: Codable, Hashable, Sendable {
    /// The app's bundle identifier, if present.
    public var bundleId: BundleID?
    /// The app's Apple ID in the App Store, if present.
    public var appAppleId: Int64?
    /// The server environment of the signed data.
    public var environment: String
    /// The date when the store signed the data.
    public var signedDate: Timestamp

    /// Creates a payload of an unknown kind.
    public init(bundleId: BundleID? = nil, appAppleId: Int64? = nil, environment: String, signedDate: Timestamp) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.signedDate = signedDate
    }
}
