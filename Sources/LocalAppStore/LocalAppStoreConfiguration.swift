public import PurchaseModel

/// The configuration of a local store.
public struct LocalAppStoreConfiguration: Sendable {
    /// The bundle identifier of a store's first app if none is configured.
    public static let defaultBundleID: BundleID = "com.example.app"

    /// The bundle identifier of the store's first app.
    public var bundleID: BundleID
    /// The `appAppleId` of the store's first app.
    public var appAppleID: Int64 = 1_234_567_890
    /// The products, offers and prices of the store's first app.
    public var catalog: Catalog
    /// The location of the store's database.
    public var database: DatabaseLocation
    /// The shared secret that `verifyReceipt` requires as `password`; with nil, `verifyReceipt` accepts any password.
    public var sharedSecret: String?
    /// Whether a device's purchase of a consumable returns the account's unfinished transaction of the product instead of a charge.
    ///
    /// The setting applies to the store's first app.
    package var restoresUnfinishedConsumables = true
    /// The schedule of repeated attempts to send a sandbox notification that the developer's server did not accept.
    ///
    /// The default is one attempt, as in Apple's sandbox. With repeated attempts, a server that restarts misses no notification. Production
    /// notifications always follow Apple's schedule.
    public var notificationRetries: NotificationRetries = .sandbox
    /// The time within which a developer's server must respond to a notification.
    package var notificationTimeout = NotificationAddress.timeout
    /// The maximum number of due events, such as renewals, that the store processes before it responds to a request.
    ///
    /// If more events are due, the request fails with status 503. The default takes well below a second.
    package var eventsPerRequest = 100
    /// The rate limits of the App Store Server API; with nil, the number of requests is unlimited.
    public var rateLimits: RateLimits?
    /// The name of the store, which is unique among the stores of a ``StoreHost`` and appears in the names of the store's certificates.
    public var name = "default"
    /// The URL of the OCSP responder that the store's certificates name.
    ///
    /// A ``StoreHost`` that listens replaces the URL with the URL of its own OCSP responder. With nil, the certificates name no responder.
    public var ocspURL: String?
    /// Whether the store uses the first app in its database instead of ``bundleID``, because an earlier process created the database.
    package var isReopened = false
    /// The path of the database file whose contents a new in-memory store copies; nil for an empty store.
    var templatePath: String?

    /// Creates the configuration of a store with one app.
    public init(bundleID: BundleID, catalog: Catalog, database: DatabaseLocation, sharedSecret: String? = nil) {
        self.bundleID = bundleID
        self.catalog = catalog
        self.database = database
        self.sharedSecret = sharedSecret
    }
}
