/// A response with the status of a customer's subscriptions.
public struct StatusResponse: Codable, Hashable, Sendable {
    /// The server environment of the purchases.
    public var environment: String
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The customer's subscriptions, by subscription group.
    public var data: [SubscriptionGroupStatus]

    /// Creates a response.
    public init(environment: String, bundleId: BundleID, appAppleId: Int64? = nil, data: [SubscriptionGroupStatus]) {
        self.environment = environment
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.data = data
    }
}
