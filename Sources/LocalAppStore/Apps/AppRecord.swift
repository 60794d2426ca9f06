import Foundation
import GRDB
import PurchaseModel

/// An app whose products the store sells, as a row of the database.
struct AppRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "apps"

    var bundleID: BundleID
    /// The app's `appAppleId`, which data of the production environment and notifications of both environments state.
    var appAppleID: Int64
    /// The current version of the app in the store, which new devices download.
    var version: String
    /// The contents of the app's `.storekit` file.
    ///
    /// The value is nil for the first app of an in-memory store, whose catalog comes from the configuration.
    var storekit: Data?
    /// The shared secret that `verifyReceipt` requires as `password`; nil if any password is accepted.
    var sharedSecret: String?
    /// The URL to which the store sends notifications of the sandbox environment; nil to send none.
    var sandboxURL: String?
    /// The URL to which the store sends notifications of the production environment; nil to send none.
    var productionURL: String?
    /// The version of App Store Server Notifications that the app's server receives: 1 or 2.
    var notificationVersion: Int
    /// The order of the transactions in `latest_receipt_info` of `verifyReceipt` responses.
    var receiptOrder = ReceiptInfoOrder.descending
    /// Whether a device's purchase of a consumable returns the account's unfinished transaction of the product instead of a charge.
    var restoresUnfinishedConsumables = true

    /// Whether the app has a notification URL in any environment.
    var hasNotificationURL: Bool { sandboxURL != nil || productionURL != nil }

    /// Returns the URL to which the store sends notifications of an environment; nil if it sends none.
    func notificationURL(in environment: AppEnvironment) -> String? {
        environment == .production ? productionURL : sandboxURL
    }
}
