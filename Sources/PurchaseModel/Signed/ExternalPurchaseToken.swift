/// A token that identifies an external purchase, which a customer makes outside of the App Store.
public struct ExternalPurchaseToken: Codable, Hashable, Sendable {
    /// The token's identifier; in the sandbox it begins with `SANDBOX`.
    public var externalPurchaseId: String
    /// The creation date of the token.
    public var tokenCreationDate: Timestamp?
    /// The app's Apple ID in the App Store.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The type of the token, as Apple spells it.
    public var tokenType: String?
    /// The expiration date of the token.
    public var tokenExpirationDate: Timestamp?

    /// Creates an external purchase token.
    public init(externalPurchaseId: String, bundleId: BundleID) {
        self.externalPurchaseId = externalPurchaseId
        self.bundleId = bundleId
    }

    /// The server environment of the token, according to the prefix of its identifier.
    public var environment: AppEnvironment { externalPurchaseId.hasPrefix("SANDBOX") ? .sandbox : .production }
}
