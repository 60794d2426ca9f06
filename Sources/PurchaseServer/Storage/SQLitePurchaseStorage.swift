import Foundation
import GRDB
import PrivateFiles
import PurchaseModel
import PurchaseProof

/// The storage in SQLite, with GRDB: in one file, or in memory.
///
/// One connection executes all writes, one at a time, so the data that a transaction reads cannot change before its write. Commits are
/// synchronized with the disk before they return.
struct SQLitePurchaseStorage: PurchaseStorage {
    let writer: any DatabaseWriter

    /// Opens the database, and creates or migrates its tables.
    ///
    /// - Throws: ``ConfigurationError`` for the database of another program or of a newer version.
    init(_ location: DatabaseLocation) throws {
        if case .file(let path) = location { try SQLiteSchema.check(path) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        if case .file(let path) = location { try PrivateFiles.createDatabase(path) }
        writer =
            switch location {
            case .memory: try DatabaseQueue(configuration: configuration)
            case .file(let path): try DatabasePool(path: path, configuration: configuration)
            }
        // The setting follows the opening, because GRDB's pool resets it to NORMAL, which can lose the last commits in a power
        // failure.
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
