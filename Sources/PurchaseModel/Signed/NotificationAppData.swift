/// The app that a notification is about.
public struct NotificationAppData: Codable, Hashable, Sendable {
    /// The app's number in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: BundleID
    /// Where it was got.
    public var environment: String
    /// The app transaction, signed on its own.
    public var signedAppTransactionInfo: SignedAppTransaction?

    /// Creates the data of a notification about an app.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.environment = environment
    }
}
