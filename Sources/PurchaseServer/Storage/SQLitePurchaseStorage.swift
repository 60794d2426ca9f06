import Foundation
import GRDB
import PrivateFiles
import PurchaseModel
import PurchaseProof

/// Storage in SQLite, by GRDB: one file, or memory.
///
/// All writes go through one connection, one at a time, so what a transaction reads cannot change before it writes. Commits
/// are synchronized with the disk before they return.
struct SQLitePurchaseStorage: PurchaseStorage {
    let writer: any DatabaseWriter

    /// Opens the database, and makes or updates its tables.
    ///
    /// - Throws: ``ConfigurationError`` for the database of another program or of a newer version.
    init(_ location: DatabaseLocation) throws {
        if case .file(let path) = location { try SQLiteSchema.check(path) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        if case .file(let path) = location { try PrivateFiles.makeDatabase(path) }
        writer =
            switch location {
            case .memory: try DatabaseQueue(configuration: configuration)
            case .file(let path): try DatabasePool(path: path, configuration: configuration)
            }
        // Set after opening: GRDB's pool resets it to NORMAL, which may forget the last commits when the power fails.
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try SQLiteSchema.migrate(writer)
    }

    func ticketKey(candidate: [UInt8]) async throws -> [UInt8] {
        try await writer.write { db in
            try db.execute(
                sql: "INSERT INTO secret (name, value) VALUES ('ticket-key', ?) ON CONFLICT DO NOTHING",
                arguments: [Data(candidate)]
            )
            return try [UInt8](Data.fetchOne(db, sql: "SELECT value FROM secret WHERE name = 'ticket-key'") ?? Data(candidate))
        }
    }
}
