import PurchaseModel

/// The services of an app that send requests to the App Store Server API.
package struct AppStoreServices: Sendable {
    let connection: AppStoreConnection
    package let reconciliation: ReconciliationService
    /// The sender of stored requests.
    let requests: AppStoreRequestSender

    /// Creates the services of an app; nil without a connection.
    init?(
        _ app: AppConfiguration, of server: ServerResources, _ connection: AppStoreConnection?, _ catalog: CatalogService,
        _ notifications: NotificationReceiver, _ verifiers: AppVerifiers
    ) {
        guard let connection else { return nil }
        self.connection = connection
        reconciliation = ReconciliationService(
            connection, notifications: notifications, signedData: verifiers.answeredData, logger: server.logger)
        requests = AppStoreRequestSender(app, of: server, connection, catalog)
        // After an outage, request the notifications that the server refused, and the look-ups that failed.
        for outages in [connection.outages, server.databaseOutages] { outages.whenRecovered(wake: notifications.wakeup) }
    }
}
