import Foundation
import GRDB
import PurchaseModel

/// An app whose products the store sells.
struct AppRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "apps"

    var bundleID: BundleID
    /// The app's `appAppleId`; only production transactions state the identifier.
    var appAppleID: Int64
    /// The version of the app that devices download.
    var version: String
    /// The app's `.storekit` file; nil for the catalog with which an in-memory store was created, because the configuration holds that
    /// catalog.
    var storekit: Data?
    var sharedSecret: String?
    /// The URL for notifications of the sandbox environment.
    var sandboxURL: String?
    /// The URL for notifications of the production environment.
    var productionURL: String?
    /// The version of App Store Server Notifications: 1 or 2.
    var notificationVersion: Int
    /// The order of the transactions in `latest_receipt_info`.
    var receiptOrder = ReceiptInfoOrder.descending

    /// Whether the app has a notification URL in any environment.
    var hasNotificationURL: Bool { sandboxURL != nil || productionURL != nil }

    /// The URL for notifications of an environment.
    func notificationURL(in environment: AppEnvironment) -> String? {
        environment == .production ? productionURL : sandboxURL
    }
}
