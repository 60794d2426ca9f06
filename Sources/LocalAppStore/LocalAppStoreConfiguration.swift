public import PurchaseModel

/// What a local store is made for.
public struct LocalAppStoreConfiguration: Sendable {
    /// The app whose products it sells.
    public var bundleID: BundleID
    /// The products.
    public var catalogue: Catalogue
    /// Where it keeps what happened.
    public var database: StoreDatabaseLocation
    /// What `verifyReceipt` demands as `password`; nil accepts any.
    public var sharedSecret: String?
    /// When a notification that no server took is sent again.
    ///
    /// Apple's sandbox tries once. The pattern of production is the default here all the same, in the store's own time, so
    /// that nothing is lost while a server restarts.
    public var notificationRetries: NotificationRetries = .production

    /// Creates a configuration.
    public init(bundleID: BundleID, catalogue: Catalogue, database: StoreDatabaseLocation, sharedSecret: String? = nil) {
        self.bundleID = bundleID
        self.catalogue = catalogue
        self.database = database
        self.sharedSecret = sharedSecret
    }
}
