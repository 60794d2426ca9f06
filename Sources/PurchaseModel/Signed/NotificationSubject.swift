/// The subject of a notification: a purchase, renewal date extensions, an external purchase token, or the app.
public enum NotificationSubject: Hashable, Sendable {
    /// A purchase that changed.
    case data(NotificationData)
    /// The result of a request to extend the renewal dates of many subscribers.
    case summary(NotificationSummary)
    /// A token that identifies an external purchase, which a customer makes outside of the App Store.
    case externalPurchaseToken(ExternalPurchaseToken)
    /// The app itself.
    case appData(NotificationAppData)
}

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
