/// The part of a notification that describes the app that the notification concerns.
public struct NotificationAppData: Codable, Hashable, Sendable {
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The server environment of the app's original purchase.
    public var environment: String
    /// The app transaction as a nested JWS, which carries its own signature.
    public var signedAppTransactionInfo: SignedAppTransaction?

    /// Creates the data of a notification about an app.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.environment = environment
    }
}
