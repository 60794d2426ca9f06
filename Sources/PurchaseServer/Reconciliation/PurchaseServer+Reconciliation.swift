public import PurchaseModel
import ServiceLifecycle

extension PurchaseServer {
    /// Reconciles an app with the App Store: records the notifications and the transactions that the server did not receive.
    ///
    /// A run can last for minutes. Each run stores its progress, so the next run continues a canceled or killed run.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - since: The earliest signature date of the notifications to request, at most 180 days ago; nil for the notifications since the
    ///     last complete run.
    /// - Returns: The report; nil for an app that is not configured.
    /// - Throws: ``ConfigurationError/missing(key:)`` if the app has no key of the App Store Server API, or `StorageError`.
    public func reconcile(_ app: BundleID, since: Timestamp? = nil) async throws -> ReconciliationReport? {
        guard let services = apps[app] else { return nil }
        guard let reconciliation = services.appStore?.reconciliation else {
            throw ConfigurationError.missing(key: "app-store-server-api.issuer-id")
        }
        return try await reconciliation.reconcile(since: since)
    }

    /// The services that reconcile the apps with a configured interval.
    var reconciliationSchedules: [any Service] {
        configuration.apps.compactMap { app in
            guard app.reconciliationHours > 0, let service = apps[app.bundleID]?.appStore?.reconciliation else { return nil }
            return ReconciliationSchedule(service: service, hours: app.reconciliationHours, timer: timer)
        }
    }
}
