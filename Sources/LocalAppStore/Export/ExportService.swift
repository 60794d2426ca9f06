import Foundation
import GRDB
import PrivateFiles
import PurchaseModel

/// The service that exports the store as a file.
struct ExportService: Sendable {
    let context: StoreContext

    /// Exports the store: writes a consistent snapshot of its database to a new file.
    func export(to path: String) async throws {
        // The file contains the store's private keys, so it is created with private permissions before SQLite writes to the empty file.
        try PrivateFiles.createFile(path)
        try await context.database.writer.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        let catalogs = context.apps.all.filter { $0.row.storekit == nil }.map { ($0.bundleID, $0.catalog.storekit) }
        let file = try DatabaseQueue(path: path)
        try await file.write { db in
            // The database of an in-memory store does not contain the first app's catalog, so the catalog is added to the file.
            for (bundleID, storekit) in catalogs {
                try db.execute(sql: "UPDATE apps SET storekit = ? WHERE bundleID = ?", arguments: [storekit, bundleID.rawValue])
            }
            // The exported store continues at the current time of this store, whenever it is opened.
            try StoreSettings.set(context.clock.snapshot, db)
        }
        try file.close()
    }
}
