package import PurchaseModel
package import PurchaseStorage

extension PurchaseRecorder {
    /// Creates a recorder with the settings of an app's configuration.
    init(_ app: AppConfiguration, of server: PurchaseServerConfiguration, catalog: any CatalogSource, clock: any WallClock) {
        self.init(
            catalog: catalog, refundPolicy: app.refundPolicy, transfers: app.transfers, clock: clock,
            finishing: app.appStoreServerAPI == nil ? .off : app.finishing,
            creditsSandboxPurchases: server.environment != .production || app.sandboxPurchases == .all)
    }
}

extension EntitlementService {
    /// Creates an entitlement service with the settings of an app's configuration.
    ///
    /// - Parameters:
    ///   - wakeup: Starts a look-up when a renewal leeway applies; nil for no look-up.
    ///   - metrics: Counts the answers that a renewal leeway decides; nil to count none.
    init(
        _ app: AppConfiguration, of server: PurchaseServerConfiguration, storage: any PurchaseStorage, catalog: any CatalogSource,
        clock: any WallClock, wakeup: Wakeup? = nil, metrics: ServerMetrics? = nil
    ) {
        self.init(
            app: app.bundleID, storage: storage, catalog: catalog, clock: clock,
            leeway: app.appStoreServerAPI == nil
                ? .none
                : RenewalLeeway(
                    seconds: Int64(app.renewalLeewayHours) * 3_600, environment: server.environment, wakeup: wakeup,
                    metrics: metrics.map { ($0, app.bundleID) }),
            acceptsSandboxPurchases: server.environment != .production || app.sandboxPurchases != .none)
    }

    /// Creates the entitlement service of an app, with look-ups for unconfirmed renewals.
    init(_ app: AppConfiguration, of server: ServerResources, _ catalog: CatalogService, _ wakeup: Wakeup) {
        self.init(
            app, of: server.configuration, storage: server.storage, catalog: catalog, clock: server.clock, wakeup: wakeup,
            metrics: server.metrics)
    }
}

/// The catalog, the recorder and the entitlement service of an app under one configuration, which can differ from the configuration of the
/// running server.
package struct AppRules: Sendable {
    package let catalog: ProductCatalog
    package let recorder: PurchaseRecorder
    package let entitlements: EntitlementService

    /// Creates the catalog and the services of one configuration.
    ///
    /// - Parameter added: The products that were added through the API; each replaces the configured product with the same identifier.
    package init(
        _ app: AppConfiguration, of server: PurchaseServerConfiguration, _ added: [ServerProduct], storage: any PurchaseStorage,
        clock: any WallClock
    ) {
        catalog = CatalogService.catalog(app.products, added)
        recorder = PurchaseRecorder(app, of: server, catalog: catalog, clock: clock)
        entitlements = EntitlementService(app, of: server, storage: storage, catalog: catalog, clock: clock)
    }

    /// Returns the names of the entitlements that a purchase gives at a date.
    package func activeEntitlements(
        of purchase: PurchaseRecord, at now: Timestamp, in records: any StorageTransaction
    ) throws -> Set<EntitlementName> {
        let entitlement = purchase.timeline.entitlement(at: now)
        guard entitlements.counts(purchase),
            try entitlements.access(to: purchase, nonRenewingDuration: catalog[entitlement.productID]?.duration, at: now, in: records)
                .isGranted
        else { return [] }
        return Set(catalog.entitlements(of: entitlement))
    }
}
