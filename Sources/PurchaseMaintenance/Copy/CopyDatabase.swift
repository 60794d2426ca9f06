import Foundation
import GRDB
import LibPQ
import PurchaseStorage

/// The source or the destination of a copy, with one interface for SQLite and PostgreSQL.
protocol CopyDatabase: Sendable {
    /// The SQL dialect of the database.
    var dialect: CopyDialect { get }

    /// Runs `body` in a read transaction.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value

    /// Runs `body` in a transaction, and returns after its commit is durable.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value
}

extension CopyDatabase {
    /// Runs an operation, and converts an error of the database to `StorageError`.
    fileprivate func reporting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw StorageError(error) ?? error
        }
    }
}

/// A SQL dialect, with the queries and conversions of a copy that differ between SQLite and PostgreSQL.
enum CopyDialect {
    case sqlite
    case postgres

    /// The query for all columns of all tables, without the tables that record migrations.
    ///
    /// `key_position` is the position of the column in the primary key, counted from 1, or 0 for a column outside of the key.
    var catalog: String {
        switch self {
        case .sqlite:
            """
            SELECT tables.name AS table_name, columns.name AS column_name, columns.type AS data_type, columns.pk AS key_position
            FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tables.name <> 'grdb_migrations'
            ORDER BY tables.name, columns.cid
            """
        case .postgres:
            // Qualify each operator, because the database can define another operator with the same name.
            """
            SELECT tables.table_name, columns.column_name, columns.data_type, coalesce((
                SELECT keys.ordinal_position FROM information_schema.table_constraints AS constraints
                JOIN information_schema.key_column_usage AS keys
                    ON keys.constraint_schema OPERATOR(pg_catalog.=) constraints.constraint_schema
                    AND keys.constraint_name OPERATOR(pg_catalog.=) constraints.constraint_name
                    AND keys.table_name OPERATOR(pg_catalog.=) constraints.table_name
                WHERE constraints.constraint_type OPERATOR(pg_catalog.=) 'PRIMARY KEY'
                    AND constraints.table_schema OPERATOR(pg_catalog.=) tables.table_schema
                    AND constraints.table_name OPERATOR(pg_catalog.=) tables.table_name
                    AND keys.column_name OPERATOR(pg_catalog.=) columns.column_name), 0) AS key_position
            FROM information_schema.tables AS tables JOIN information_schema.columns AS columns
                ON columns.table_schema OPERATOR(pg_catalog.=) tables.table_schema
                AND columns.table_name OPERATOR(pg_catalog.=) tables.table_name
            WHERE tables.table_schema OPERATOR(pg_catalog.=) pg_catalog.current_schema()
                AND tables.table_type OPERATOR(pg_catalog.=) 'BASE TABLE'
                AND tables.table_name OPERATOR(pg_catalog.<>) 'tillroll_schema'
            ORDER BY tables.table_name, columns.ordinal_position
            """
        }
    }

    /// Returns the expression that selects a column.
    ///
    /// The expression reads SQLite's TEXT as BLOB, because a text would end at NUL, and invalid UTF-8 would be replaced.
    func selection(_ column: CopyTable.Column) -> String {
        let name = CopyTable.quoted(column.name)
        return self == .sqlite && column.kind == .text ? "CAST(\(name) AS BLOB) AS \(name)" : name
    }

    /// Returns the value of a column; nil for a value that PostgreSQL can't store, such as a text with a null character.
    func value(_ column: CopyTable.Column, of row: any SQLRow) throws -> SQLValue? {
        switch (column.kind, self) {
        case (.text, .sqlite):
            guard let bytes = try row.bytes(column.name) else { return .null }
            guard !bytes.contains(0) else { return nil }
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        case (.boolean, .sqlite):
            guard let number = try row.integer(column.name) else { return .null }
            return number == 0 || number == 1 ? .boolean(number == 1) : nil
        case (.text, .postgres): return try row.text(column.name).map { .text($0) } ?? .null
        case (.boolean, .postgres): return try row.boolean(column.name).map { .boolean($0) } ?? .null
        case (.integer, _): return try row.integer(column.name).map { .integer($0) } ?? .null
        case (.bytes, _): return try row.bytes(column.name).map { .bytes($0) } ?? .null
        }
    }
}

/// The SQLite database of a copy.
struct SQLiteCopyDatabase: CopyDatabase {
    let storage: SQLitePurchaseStorage

    var dialect: CopyDialect { .sqlite }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await reporting { try await storage.writer.read { try body(SQLiteTransactionConnection(db: $0)) } }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await reporting { try await storage.writer.write { try body(SQLiteTransactionConnection(db: $0)) } }
    }
}

/// The PostgreSQL database of a copy.
///
/// The copy has a separate pool, because a query of a copy can exceed the time limit of a server's statements.
struct PostgresCopyDatabase: CopyDatabase {
    private let pool: PostgresPool

    var dialect: CopyDialect { .postgres }

    init(_ database: PostgresDatabase) {
        pool = PostgresPool(database.url, limit: 1) { connection in
            // Make PostgreSQL read pages by the primary key's index, even before statistics about the new rows exist.
            try connection.query("SET enable_seqscan = off")
        }
    }

    /// Whether the database has the tables of a purchase server.
    var hasTables: Bool {
        get async throws { try await PostgresSchema.storedVersion(pool) != nil }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await reporting {
            try await pool.withTransaction(isolation: .repeatableRead, isReadOnly: true) { try body(PostgresTransactionConnection($0)) }
        }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await reporting { try await pool.withTransaction { try body(PostgresTransactionConnection($0)) } }
    }
}
