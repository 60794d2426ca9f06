/// A customer's subscriptions.
public struct StatusResponse: Codable, Hashable, Sendable {
    /// Where the purchases were made.
    public var environment: String
    /// The app.
    public var bundleId: BundleID
    /// The app's number in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// By group.
    public var data: [SubscriptionGroupStatus]

    /// Creates an answer.
    public init(environment: String, bundleId: BundleID, appAppleId: Int64? = nil, data: [SubscriptionGroupStatus]) {
        self.environment = environment
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.data = data
    }
}
