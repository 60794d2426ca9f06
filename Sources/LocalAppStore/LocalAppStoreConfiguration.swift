public import PurchaseModel

/// What a local store is made for.
public struct LocalAppStoreConfiguration: Sendable {
    /// The app of a store for which none is named.
    public static let defaultBundleID: BundleID = "com.example.app"

    /// The app whose products it sells.
    public var bundleID: BundleID
    /// The app's number in the App Store.
    public var appAppleID: Int64 = 1_234_567_890
    /// The products.
    public var catalog: Catalog
    /// Where it keeps what happened.
    public var database: DatabaseLocation
    /// What `verifyReceipt` demands as `password`; nil accepts any.
    public var sharedSecret: String?
    /// When a notification about a sandbox purchase that no server took is sent again; those of production always follow Apple's
    /// pattern.
    ///
    /// Never, as in Apple's sandbox, unless somebody prefers that nothing is lost while a server restarts.
    public var notificationRetries: NotificationRetries = .sandbox
    /// How long a developer's server may take to answer a notification.
    package var notificationTimeout = NotificationAddress.timeout
    /// How many due events a call carries out before it answers that the store is behind: well below a second of work.
    package var eventsPerTurn = 100
    /// How often apps may call the App Store Server API; nil for as often as they like.
    public var rateLimits: RateLimits?
    /// The store's name at its host; it is part of the names in its certificates.
    public var name = "default"
    /// Where the store's certificates say that one can ask whether they were revoked; a ``StoreHost`` that listens knows it better.
    public var ocspURL: String?
    /// Whether the database knows better which app comes first: it was made by an earlier process.
    package var isReopened = false
    /// A file whose contents a store in memory begins with.
    var copied: String?

    /// Creates a configuration.
    public init(bundleID: BundleID, catalog: Catalog, database: DatabaseLocation, sharedSecret: String? = nil) {
        self.bundleID = bundleID
        self.catalog = catalog
        self.database = database
        self.sharedSecret = sharedSecret
    }
}
