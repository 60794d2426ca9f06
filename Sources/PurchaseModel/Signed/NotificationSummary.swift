/// The result of a request to extend the renewal dates of many subscribers.
public struct NotificationSummary: Codable, Hashable, Sendable {
    /// The developer's identifier of the request to extend renewal dates, a UUID.
    public var requestIdentifier: String?
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

    // The value is optional, so that a field that is absent in the signed payload is not encoded either.
    private var statedEnvironment: String?

    /// The server environment of the subscriptions; empty when the field is absent, as in data of 2021, and the environment unknown.
    public var environment: String {
        get { statedEnvironment ?? "" }
        set { statedEnvironment = newValue.isEmpty ? nil : newValue }
    }

    /// Creates a summary.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.statedEnvironment = environment
    }

    private enum CodingKeys: String, CodingKey {
        case requestIdentifier
        case statedEnvironment = "environment"
        case appAppleId
        case bundleId
        case productId
        case storefrontCountryCodes
        case succeededCount
        case failedCount
    }
}
