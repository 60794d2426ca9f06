/// How the extension of many renewal dates went.
public struct NotificationSummary: Codable, Hashable, Sendable {
    /// The developer's identifier of the request, a UUID.
    public var requestIdentifier: String?
    /// Where the subscriptions are.
    public var environment: String
    /// The app's number in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: BundleID
    /// The product whose renewal dates were put off.
    public var productId: ProductID?
    /// The countries' stores, ISO 3166-1 alpha-3; all of them when absent.
    public var storefrontCountryCodes: [String]?
    /// How many were put off.
    public var succeededCount: Int64?
    /// How many could not be.
    public var failedCount: Int64?

    /// Creates a summary.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.environment = environment
    }
}
