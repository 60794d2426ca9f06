/// The result of a request to extend the renewal dates of many subscribers.
public struct NotificationSummary: Codable, Hashable, Sendable {
    /// The developer's identifier of the request to extend renewal dates, a UUID.
    public var requestIdentifier: String?
    /// The server environment of the subscriptions.
    public var environment: String
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The product whose renewal dates were extended.
    public var productId: ProductID?
    /// The country or region codes of the storefronts (ISO 3166-1 alpha-3); nil for all storefronts.
    public var storefrontCountryCodes: [String]?
    /// The number of subscriptions whose renewal dates were extended.
    public var succeededCount: Int64?
    /// The number of subscriptions whose renewal dates could not be extended.
    public var failedCount: Int64?

    /// Creates a summary.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.environment = environment
    }
}
