package import PurchaseModel
package import PurchaseStorage

/// A change of an app's products.
///
/// ``CatalogComparison`` counts the affected customers.
package struct CatalogChange: Sendable {
    /// The app, with the settings that determine entitlements.
    package let app: AppConfiguration
    package let server: PurchaseServerConfiguration
    package let storage: any PurchaseStorage
    /// The clock by which entitlements expire.
    package let clock: any WallClock
    /// The products before the change.
    package let present: [ServerProduct]
    /// The products after the change.
    package let other: [ServerProduct]
}

/// The entitlements that customers lose because of a change of the products.
package struct CatalogLosses: Sendable {
    /// The number of customers who gain or lose entitlements or credits.
    package let customers: Int64
    /// The number of customers who lose an entitlement, by the entitlement's name.
    package let lost: [EntitlementName: Int64]

    package init(customers: Int64, lost: [EntitlementName: Int64]) {
        self.customers = customers
        self.lost = lost
    }
}

/// Counts the customers whom a change of the products affects; the cost grows with the number of purchases.
package typealias CatalogComparison = @Sendable (CatalogChange) async throws -> CatalogLosses
