/// An app that the store sells for.
public struct AppDescription: Codable, Hashable, Sendable {
    /// The app.
    public var bundleID: BundleID
    /// The app's number in the App Store.
    public var appAppleID: Int64
    /// The version that devices get.
    public var version: String
    /// How many products it sells.
    public var productCount: Int
    /// Alpha-3 code of the country its catalogue is priced for.
    public var storefront: String
    /// Whether `verifyReceipt` demands a password.
    public var hasSharedSecret: Bool
    /// Where notifications of the sandbox go.
    public var sandboxURL: String?
    /// Where notifications of production go.
    public var productionURL: String?
    /// 1 or 2.
    public var notificationVersion: Int

    /// Creates a description.
    public init(
        bundleID: BundleID, appAppleID: Int64, version: String, productCount: Int, storefront: String, hasSharedSecret: Bool,
        sandboxURL: String?, productionURL: String?, notificationVersion: Int
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.version = version
        self.productCount = productCount
        self.storefront = storefront
        self.hasSharedSecret = hasSharedSecret
        self.sandboxURL = sandboxURL
        self.productionURL = productionURL
        self.notificationVersion = notificationVersion
    }
}
