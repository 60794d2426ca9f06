import Foundation
import GRDB
import PrivateFiles
import PurchaseModel

extension StoreLedger {
    /// Writes the whole store into a new file, as one consistent snapshot of the database.
    func export(to path: String) async throws {
        // The file contains the store's private keys and therefore has private permissions; SQLite accepts an empty file.
        try PrivateFiles.createFile(path)
        try await database.writer.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        let catalogs = apps.all.filter { $0.row.storekit == nil }.map { ($0.bundleID, $0.catalog.storekit) }
        let file = try DatabaseQueue(path: path)
        try await file.write { db in
            // An in-memory store has its first catalog in memory and not in its database.
            for (bundleID, storekit) in catalogs {
                try db.execute(sql: "UPDATE apps SET storekit = ? WHERE bundleID = ?", arguments: [storekit, bundleID.rawValue])
            }
            // A copy continues at the store's current time, whenever the copy is opened.
            try StoreSettings.set(clock.snapshot, db)
        }
        try file.close()
    }
}
