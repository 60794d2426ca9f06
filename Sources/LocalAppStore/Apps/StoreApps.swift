import Foundation
import GRDB
import PurchaseModel
import Synchronization

/// The apps of a store, kept in memory so that finding an app requires no database access.
final class StoreApps: Sendable {
    /// The bundle identifier of the store's first app, which requests without a bundle identifier address.
    let defaultBundleID: BundleID
    private let apps: Mutex<[BundleID: StoreApp]>

    /// Loads the apps from the database, and adds the configured app if the database does not have it.
    init(_ configuration: LocalAppStoreConfiguration, _ db: Database) throws {
        var apps: [BundleID: StoreApp] = [:]
        let rows = try AppRecord.fetchAll(db, sql: "SELECT * FROM apps ORDER BY rowid")
        defaultBundleID = configuration.isReopened ? rows.first?.bundleID ?? configuration.bundleID : configuration.bundleID
        for row in rows {
            let catalog = try row.storekit.map { try Catalog(storekit: $0) } ?? configuration.catalog
            apps[row.bundleID] = StoreApp(row: row, catalog: catalog)
        }
        if apps[defaultBundleID] == nil {
            var row = AppRecord(configuration)
            if rows.contains(where: { $0.appAppleID == row.appAppleID }), let newest = rows.map(\.appAppleID).max() {
                row.appAppleID = newest < .max ? newest + 1 : 1
            }
            let app = StoreApp(row: row, catalog: configuration.catalog)
            try app.row.insertFirst(db)
            apps[defaultBundleID] = app
        }
        self.apps = Mutex(apps)
    }

    /// Returns the app with a bundle identifier; nil if the store has no such app.
    subscript(_ bundleID: BundleID) -> StoreApp? {
        apps.withLock { $0[bundleID] }
    }

    /// Returns the app with a bundle identifier.
    ///
    /// - Throws: ``AppError/unknown`` if the store has no such app.
    func require(_ bundleID: BundleID) throws(AppError) -> StoreApp {
        guard let app = self[bundleID] else { throw .unknown }
        return app
    }

    /// All apps of the store, sorted by bundle identifier.
    var all: [StoreApp] {
        apps.withLock { $0.values.sorted { $0.bundleID < $1.bundleID } }
    }

    /// The initial rules of the store's subscriptions, such as the time rate, from the settings of the first app's catalog.
    private var catalogRules: SubscriptionRules {
        let catalog = self[defaultBundleID]?.catalog ?? .empty
        return SubscriptionRules(
            timeRate: SubscriptionTimeRate(rawValue: catalog.timeRate) ?? .realTime,
            billingGracePeriodIsEnabled: catalog.billingGracePeriodIsEnabled)
    }

    /// Returns the rules of new subscriptions, such as the time rate: those that were set, or those of the first app's catalog.
    func rules(_ db: Database) throws -> SubscriptionRules {
        try StoreSettings.rules(db) ?? catalogRules
    }

    /// Saves an app in the database, and in memory when the database transaction commits.
    func save(_ app: StoreApp, _ db: Database) throws {
        try app.row.save(db)
        db.afterNextTransaction { _ in self.apps.withLock { $0[app.bundleID] = app } }
    }
}

extension AppRecord {
    /// Creates the row of the first app from the configuration of a store.
    fileprivate init(_ configuration: LocalAppStoreConfiguration) {
        self.init(
            bundleID: configuration.bundleID,
            appAppleID: configuration.appAppleID,
            version: "1.0",
            storekit: configuration.database == .memory ? nil : configuration.catalog.storekit,
            sharedSecret: configuration.sharedSecret,
            notificationVersion: 2,
            restoresUnfinishedConsumables: configuration.restoresUnfinishedConsumables
        )
    }

    /// Inserts the row with an SQL statement: GRDB's `insert` reads and caches the whole schema, which costs an idle store 20 KiB.
    fileprivate func insertFirst(_ db: Database) throws {
        let sql = """
            INSERT INTO apps (
                bundleID, appAppleID, version, storekit, sharedSecret, notificationVersion, receiptOrder, restoresUnfinishedConsumables
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.execute(
            sql: sql,
            arguments: [
                bundleID.rawValue, appAppleID, version, storekit, sharedSecret, notificationVersion, receiptOrder.rawValue,
                restoresUnfinishedConsumables,
            ]
        )
    }
}

/// An app whose products the store sells: its database row and its parsed catalog.
struct StoreApp: Sendable {
    var row: AppRecord
    var catalog: Catalog

    var bundleID: BundleID { row.bundleID }
}
