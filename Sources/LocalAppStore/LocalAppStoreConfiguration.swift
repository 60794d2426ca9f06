public import PurchaseModel

/// The configuration of a local store.
public struct LocalAppStoreConfiguration: Sendable {
    /// The default bundle identifier of a store's app.
    public static let defaultBundleID: BundleID = "com.example.app"

    /// The app whose products the store sells.
    public var bundleID: BundleID
    /// The app's `appAppleId`.
    public var appAppleID: Int64 = 1_234_567_890
    /// The catalog.
    public var catalog: Catalog
    /// The location of the store's database.
    public var database: DatabaseLocation
    /// The shared secret that `verifyReceipt` requires as `password`; nil accepts any value.
    public var sharedSecret: String?
    /// The retry schedule of sandbox notifications that no server accepted; production notifications always follow Apple's schedule.
    ///
    /// The default is no retry, as in Apple's sandbox. A schedule with retries avoids lost notifications while a server restarts.
    public var notificationRetries: NotificationRetries = .sandbox
    /// The time-out of a developer's server for one notification.
    package var notificationTimeout = NotificationAddress.timeout
    /// The number of due events that a request processes before it fails because the store is behind: well below a second of work.
    package var eventsPerRequest = 100
    /// The rate limits of the App Store Server API; nil for no limits.
    public var rateLimits: RateLimits?
    /// The store's name at its host, which is part of the names in the store's certificates.
    public var name = "default"
    /// The OCSP responder's URL in the store's certificates; a ``StoreHost`` that listens replaces the URL with its own.
    public var ocspURL: String?
    /// Whether the database determines the first app, because an earlier process created the database.
    package var isReopened = false
    /// A file whose contents an in-memory store copies.
    var templatePath: String?

    /// Creates a configuration.
    public init(bundleID: BundleID, catalog: Catalog, database: DatabaseLocation, sharedSecret: String? = nil) {
        self.bundleID = bundleID
        self.catalog = catalog
        self.database = database
        self.sharedSecret = sharedSecret
    }
}
