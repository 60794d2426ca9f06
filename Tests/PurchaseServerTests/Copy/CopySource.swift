import Foundation
import GRDB
import PurchaseTestSupport
import StoreTestSupport

@testable import PurchaseServer
@testable import PurchaseStorage

/// A SQLite database with every kind of record of ``RebuildScenario``, and with hostile rows in every table.
enum CopySource {
    /// Texts that a statement, an encoding or a comparison of characters could change. Two of them differ in their bytes only.
    private static let texts = [
        "", "'", "\"; DROP TABLE purchase; --", "$1 ?1 ? %s", "\\x00 \\", "\u{E9}", "e\u{301}", "日本語", "🧾👩‍👩‍👧", "\u{FEFF}\u{202E}",
        "\u{10FFFF}",
        "NULL", "\t\r\n\u{7F}\u{1}", "0", "{\"a\":[1,null]}",
    ]
    private static let numbers: [Int64] = [.min, .max, 0, -1, 1, 9_007_199_254_740_993]
    private static let blobs = [Data(), Data([0]), Data(0...255), Data("\\x41".utf8), Data(repeating: 0, count: 70_000)]
    /// The number of hostile rows in each table.
    static let rows = 45

    /// Creates a database in a folder, closes it, and calls `body` with its path and the configuration of its server.
    static func with(_ body: (_ path: String, RebuildScenario, TemporaryFolder) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("source.sqlite").path()
            let storage = try SQLitePurchaseStorage(.file(path))
            try await RebuildScenario.open(storage) { scenario in
                try await scenario.claimShared()
                try await storage.writer.write { try insertRows(into: $0) }
                try await body(path, scenario, folder)
            }
        }
    }

    private static func insertRows(into db: Database) throws {
        for table in try tables(of: db) {
            let columns = try db.columns(in: table)
            let key = try db.primaryKey(table).columns
            for number in 0..<rows {
                let values = columns.enumerated().map { index, column in
                    value(of: column, in: table, isKey: key.contains(column.name), number: number, seed: number + index)
                }
                let places = columns.map { _ in "?" }.joined(separator: ", ")
                try db.execute(sql: "INSERT INTO \(table) VALUES (\(places))", arguments: StatementArguments(values))
            }
        }
    }

    private static func value(of column: ColumnInfo, in table: String, isKey: Bool, number: Int, seed: Int) -> DatabaseValue {
        // The constraints of the table: 0 <= written_off <= revoked <= credits.
        if table == "purchase_credit", ["credits", "revoked", "written_off"].contains(column.name) {
            return (column.name == "credits" ? Int64.max : column.name == "revoked" ? 2 : 0).databaseValue
        }
        if !column.isNotNull, seed % 4 == 0 { return .null }
        // A key needs a value of its own, and PostgreSQL limits it to 2,704 bytes.
        switch column.type {
        case "TEXT": return (isKey ? "\(texts[seed % texts.count])#\(number)" : texts[seed % texts.count]).databaseValue
        case "BLOB":
            if isKey { return (Data("\(number)".utf8) + blobs[seed % 4]).databaseValue }
            return number == 7 ? Data(repeating: 0xAB, count: 3 << 20).databaseValue : blobs[seed % blobs.count].databaseValue
        default:
            if ["is_frozen", "is_revoked", "was_revoked", "has_transaction", "window_is_verified"].contains(column.name) {
                return (seed % 2).databaseValue
            }
            return isKey && number >= numbers.count ? number.databaseValue : numbers[(isKey ? number : seed) % numbers.count].databaseValue
        }
    }

    static func tables(of db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql:
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'grdb_migrations' ORDER BY name"
        )
    }

    /// The rows of every table of a SQLite file, each as the literals of SQLite.
    static func dump(_ path: String) async throws -> [String: [String]] {
        try await DatabaseQueue.waiting(path: path).read { db in
            try tables(of: db).reduce(into: [:]) { dump, table in
                let literals = try db.columns(in: table).map { "quote(\"\($0.name)\")" }.joined(separator: " || ', ' || ")
                dump[table] = try String.fetchAll(db, sql: "SELECT \(literals) FROM \(table)").sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }
            }
        }
    }
}
