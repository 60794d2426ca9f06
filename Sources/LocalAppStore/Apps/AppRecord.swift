import Foundation
import GRDB
import PurchaseModel

/// One app that the store sells for.
struct AppRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "apps"

    var bundleID: BundleID
    /// The app's number in the App Store; stated of production purchases only.
    var appAppleID: Int64
    /// The version that devices get now.
    var version: String
    /// The `.storekit` file; nil for what a store in memory was made with, which it has at hand.
    var storekit: Data?
    var sharedSecret: String?
    /// Where notifications of the sandbox go.
    var sandboxURL: String?
    /// Where notifications of production go.
    var productionURL: String?
    /// 1 or 2.
    var notificationVersion: Int
    /// In which order `latest_receipt_info` comes.
    var receiptOrder = ReceiptInfoOrder.descending

    /// Whether notifications of any environment go anywhere.
    var hasNotificationURL: Bool { sandboxURL != nil || productionURL != nil }

    /// Where notifications of an environment go.
    func notificationURL(in environment: AppEnvironment) -> String? {
        environment == .production ? productionURL : sandboxURL
    }
}
