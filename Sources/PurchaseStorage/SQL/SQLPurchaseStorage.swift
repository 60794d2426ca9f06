package import PurchaseModel

/// A SQLite or PostgreSQL storage whose tables maintenance commands can read and repair.
public struct StorageMaintenance: Sendable {
    /// The storage, with access to the tables.
    package let tables: any SQLPurchaseStorage
}

/// A storage in a SQL database, with access to read and repair the tables row by row, including damaged rows.
package protocol SQLPurchaseStorage: PurchaseStorage {
    /// Runs `body` in a transaction that reads the tables of an app; see ``PurchaseStorage/read(_:_:)``.
    func readTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction that reads and writes the tables of an app; see ``PurchaseStorage/write(_:_:)``.
    func writeTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value
}

extension SQLPurchaseStorage {
    package var maintenance: StorageMaintenance? { StorageMaintenance(tables: self) }

    package func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await readTables(app, body)
    }

    package func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await writeTables(app, body)
    }
}

extension SQLitePurchaseStorage {
    /// Gives positions to the events that a copy of a PostgreSQL database has in its outbox.
    package func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int {
        guard try await readTables(app, { try $0.hasUnpublishedFeedEvents() }) else { return 0 }
        return try await writeTables(app) { try $0.publishFeedEvents(limit: limit, lock: "") }
    }
}

/// The table with the progress of a copy, in the destination of an unfinished copy only.
package enum CopyProgressTable {
    /// The name of the table.
    package static let name = "copy_progress"
    /// The statement that creates the table.
    package static let creation = "CREATE TABLE \(name) (id BIGINT PRIMARY KEY, progress TEXT NOT NULL)"
}
