/// A token of a purchase outside of the store.
public struct ExternalPurchaseToken: Codable, Hashable, Sendable {
    /// The token's identifier; it begins with `SANDBOX` there.
    public var externalPurchaseId: String
    /// When it was made.
    public var tokenCreationDate: Timestamp?
    /// The app's number in the App Store.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: BundleID
    /// What the token is for.
    public var tokenType: String?
    /// When it expires.
    public var tokenExpirationDate: Timestamp?

    /// Creates a token.
    public init(externalPurchaseId: String, bundleId: BundleID) {
        self.externalPurchaseId = externalPurchaseId
        self.bundleId = bundleId
    }

    /// Where it was made, which its identifier shows.
    public var environment: AppEnvironment { externalPurchaseId.hasPrefix("SANDBOX") ? .sandbox : .production }
}
