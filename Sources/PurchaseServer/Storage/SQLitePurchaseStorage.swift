import Foundation
import GRDB
import PrivateFiles
import PurchaseModel
import PurchaseProof

/// Stores a server's data in a SQLite database, in one file or in memory.
///
/// Writes are executed one at a time on one connection, so data that a database transaction reads can't change before its write. A commit
/// returns after the disk has stored it.
struct SQLitePurchaseStorage: PurchaseStorage {
    let writer: any DatabaseWriter

    /// Opens the database, and creates or migrates its tables.
    ///
    /// - Throws: ``ConfigurationError`` if the database belongs to another program or a newer version; otherwise an error of SQLite.
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
        // FULL is set after opening, because GRDB's pool sets NORMAL when it opens, which can lose commits in a power failure.
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
