import PurchaseModel
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// A storage that records its statements and checks them with ``StatementRules``.
final class CheckedStorage: SQLPurchaseStorage {
    let storage: any SQLPurchaseStorage
    private let recorded = Mutex<[String: String?]>([:])
    private let begun = Mutex(0)

    init(_ storage: any SQLPurchaseStorage) {
        self.storage = storage
    }

    /// The different statements.
    var statements: [String] { recorded.withLock { $0.keys.sorted() } }
    /// What is wrong with them.
    var violations: [String] { recorded.withLock { $0.values.compactMap { $0 }.sorted() } }

    /// The number of transactions that read or write tables.
    var transactions: Int { begun.withLock { $0 } }

    fileprivate func record(_ sql: String) {
        recorded.withLock { if $0[sql] == nil { $0.updateValue(StatementRules.violation(of: sql), forKey: sql) } }
    }

    func readTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        begun.withLock { $0 += 1 }
        return try await storage.readTables(app) { try body(self.checked($0)) }
    }

    func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await storage.readCommitted(app) { try body(self.checked(#require($0 as? SQLTransaction))) }
    }

    func writeTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        begun.withLock { $0 += 1 }
        return try await storage.writeTables(app) { try body(self.checked($0)) }
    }

    private func checked(_ records: SQLTransaction) -> SQLTransaction {
        SQLTransaction(app: records.app, connection: CheckedConnection(connection: records.connection, storage: self))
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try await storage.writeSecrets { secrets in
            let connection = try #require(secrets as? SQLSecretRecords).connection
            return try body(SQLSecretRecords(locking: CheckedConnection(connection: connection, storage: self)))
        }
    }

    func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int {
        guard try await readTables(app, { try $0.hasUnpublishedFeedEvents() }) else { return 0 }
        return try await storage.publishFeedEvents(app, limit: limit)
    }

    func checkWritable() async throws { try await storage.checkWritable() }
}

private struct CheckedConnection: SQLConnection {
    let connection: any SQLConnection
    let storage: CheckedStorage

    var claimLock: String { connection.claimLock }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        storage.record(sql)
        try connection.execute(sql, arguments)
    }

    func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        storage.record(sql)
        return try connection.changes(sql, arguments)
    }

    func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        storage.record(sql)
        return try connection.query(sql, arguments, limit: limit, read)
    }
}
