import PurchaseModel
import PurchaseStorage

extension EntitlementService {
    /// Returns whether a purchase can give entitlements: a production server can ignore the purchases of the sandbox.
    func counts(_ purchase: PurchaseRecord) -> Bool {
        acceptsSandboxPurchases || purchase.entitlement.environment == AppEnvironment.production.rawValue
    }

    /// Returns the access that a purchase currently gives; the customer's entitlements state the same access.
    ///
    /// - Parameters:
    ///   - purchase: The purchase, for which ``counts(_:)`` is true.
    ///   - duration: The duration of the product, if the product is a non-renewing subscription.
    ///   - now: The current date.
    ///   - records: The records of the app.
    func access(
        to purchase: PurchaseRecord, nonRenewingDuration duration: BillingPeriod?, at now: Timestamp, in records: any StorageTransaction
    ) throws -> Access {
        try leeway.access(to: purchase.entitlement, at: now, in: records)
            ?? purchase.timeline.entitlement(at: now).access(at: now, nonRenewingDuration: duration)
    }
}
