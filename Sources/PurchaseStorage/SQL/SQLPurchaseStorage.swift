package import PurchaseModel

/// The capability of a storage whose tables maintenance can read and repair: the storages of SQLite and PostgreSQL have it.
public struct StorageMaintenance: Sendable {
    /// The storage of the tables.
    package let tables: any SQLPurchaseStorage
}

/// A storage in a SQL database, whose tables maintenance can read and repair row by row, including damaged rows.
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
        try await readTables(app) { try body($0) }
    }

    package func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await writeTables(app) { try body($0) }
    }
}
