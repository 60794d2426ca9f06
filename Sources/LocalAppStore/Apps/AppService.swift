import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that adds and changes the apps whose products the store sells.
struct AppService: Sendable {
    let context: StoreContext

    /// Adds an app to the store, or changes an existing app.
    ///
    /// Properties that are nil in the request keep their values; an empty text removes a shared secret or a URL.
    func setApp(_ bundleID: BundleID, _ request: AppRequest) async throws -> AppDescription {
        guard (1...Catalog.identifierLimit).contains(bundleID.rawValue.utf8.count) else { throw StoreError.invalidValue(field: "bundle") }
        let catalog = try request.storekit.map { try Catalog(reading: $0.data) }
        try await change(bundleID, createsIfMissing: true, catalog: catalog) { row throws(StoreError) in
            if let number = request.appAppleID { row.appAppleID = number }
            if let version = request.version {
                guard (1...100).contains(version.utf8.count) else { throw .invalidValue(field: "version") }
                row.version = version
            }
            if let secret = request.sharedSecret { row.sharedSecret = secret.isEmpty ? nil : secret }
            if let url = request.sandboxURL { row.sandboxURL = url.isEmpty ? nil : url }
            if let url = request.productionURL { row.productionURL = url.isEmpty ? nil : url }
            if let order = request.receiptOrder { row.receiptOrder = order }
            if let isOn = request.restoresUnfinishedConsumables { row.restoresUnfinishedConsumables = isOn }
            if let version = request.notificationVersion {
                guard [1, 2].contains(version) else { throw .invalidValue(field: "notificationVersion") }
                row.notificationVersion = version
            }
        }
        return try context.apps.require(bundleID).description
    }

    /// Changes an app's row in the database, and its catalog if `catalog` is not nil.
    ///
    /// - Parameter createsIfMissing: Whether an unknown bundle identifier adds an app instead of throwing ``AppError/unknown``.
    func change(
        _ bundleID: BundleID, createsIfMissing: Bool = false, catalog: Catalog? = nil,
        _ change: @escaping @Sendable (inout AppRecord) throws(StoreError) -> Void
    ) async throws {
        try await context.transaction { db, _ in
            guard var app = try context.apps[bundleID] ?? (createsIfMissing ? newApp(bundleID, db) : nil) else { throw AppError.unknown }
            if let catalog {
                app.catalog = catalog
                app.row.storekit = catalog.storekit
            }
            let before = app.row
            try change(&app.row)
            // Only changed URLs are checked: a database from an earlier version may contain an invalid URL, to which the store sends
            // nothing.
            for (url, old) in [(app.row.sandboxURL, before.sandboxURL), (app.row.productionURL, before.productionURL)] where url != old {
                guard url.map({ HTTPURL($0) != nil }) ?? true else { throw NotificationError.invalidURL }
            }
            let isTaken = context.apps.all.contains { $0.bundleID != bundleID && $0.row.appAppleID == app.row.appAppleID }
            guard !isTaken else { throw StoreError.invalidValue(field: "appAppleID") }
            try context.apps.save(app, db)
        }
    }

    /// Changes the products of an app, within one transaction of the database.
    func changeCatalog(of bundleID: BundleID, _ change: @escaping @Sendable (Catalog) throws -> Catalog) async throws {
        try await context.transaction { db, _ in
            guard var app = context.apps[bundleID] else { throw AppError.unknown }
            app.catalog = try change(app.catalog)
            app.row.storekit = app.catalog.storekit
            try context.apps.save(app, db)
        }
    }

    private func newApp(_ bundleID: BundleID, _ db: Database) throws -> StoreApp {
        let newest = try Int64.fetchOne(db, sql: "SELECT max(appAppleID) FROM apps") ?? 0
        let row = AppRecord(
            bundleID: bundleID, appAppleID: newest < .max ? newest + 1 : 1, version: "1.0", storekit: Catalog.empty.storekit,
            notificationVersion: 2
        )
        return StoreApp(row: row, catalog: .empty)
    }
}

extension StoreApp {
    /// The app as the control API returns it.
    var description: AppDescription {
        AppDescription(
            bundleID: bundleID, appAppleID: row.appAppleID, version: row.version, productCount: catalog.products.count,
            storefront: catalog.storefront.countryCode, currency: catalog.storefront.currency, hasSharedSecret: row.sharedSecret != nil,
            sandboxURL: row.sandboxURL, productionURL: row.productionURL, notificationVersion: row.notificationVersion
        )
    }
}
