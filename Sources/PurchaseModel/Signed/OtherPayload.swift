/// What signed data of a kind that is not known here says about where it belongs.
///
/// The store may sign new kinds of statements any day. Whether it did can be verified all the same, as long as the statement says
/// when and where it was signed.
public struct OtherPayload: Codable, Hashable, Sendable {
    /// The app, where it is stated.
    public var bundleId: BundleID?
    /// The app's number in the App Store, where it is stated.
    public var appAppleId: Int64?
    /// Where it was made.
    public var environment: String
    /// When this statement was signed.
    public var signedDate: Timestamp

    /// Creates a statement about nothing but where it belongs.
    public init(bundleId: BundleID? = nil, appAppleId: Int64? = nil, environment: String, signedDate: Timestamp) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.signedDate = signedDate
    }
}
