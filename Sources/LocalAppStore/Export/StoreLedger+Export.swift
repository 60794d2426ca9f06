import Foundation
import GRDB
import PrivateFiles
import PurchaseModel

extension StoreLedger {
    /// Writes everything that the store knows into one new file: one state of the database, whatever happens meanwhile.
    func export(to path: String) async throws {
        // The store's keys are in it; SQLite takes an empty file as it is.
        try PrivateFiles.makeFile(path)
        try await database.writer.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        let catalogs = apps.all.filter { $0.row.storekit == nil }.map { ($0.bundleID, $0.catalog.storekit) }
        let file = try DatabaseQueue(path: path)
        try await file.write { db in
            // A store in memory has its first catalog at hand and not in its database.
            for (bundleID, storekit) in catalogs {
                try db.execute(sql: "UPDATE apps SET storekit = ? WHERE bundleID = ?", arguments: [storekit, bundleID.rawValue])
            }
            // A copy goes on where the store is now, however late it is made.
            try StoreSettings.time.set(String(decoding: WireJSON.encode(clock.course), as: UTF8.self), db)
        }
        try file.close()
    }
}
