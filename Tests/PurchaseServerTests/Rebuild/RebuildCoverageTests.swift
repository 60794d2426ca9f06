import Foundation
import GRDB
import PurchaseTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests that a rebuild compares every table and every column, except those that the documentation names.
@Suite struct RebuildCoverageTests {
    /// The tables that a rebuild compares, or verifies as signed originals.
    private static let compared = [
        "notification", "signed_event", "receipt", "jws_header", "transaction_version", "renewal_version", "purchase_period", "purchase",
        "customer_purchase", "purchase_credit", "ledger_posting", "ledger_entry", "ledger_balance",
    ]

    /// The columns of compared tables that are recorded decisions, because no signed data states them.
    private static let decisions: Set<String> = ["notification.received_at", "signed_event.received_at"]

    @Test func `the documentation names every table, as compared, as a recorded decision or as not derivable`() async throws {
        let document = URL(filePath: #filePath).appending(path: "../../../../docs/server.md").standardizedFileURL
        let text = try String(contentsOf: document, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## Rebuild\n").last?.components(separatedBy: "\n### ").first)
        let tables = try await SQLitePurchaseStorage(.memory).writer.read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'grdb_migrations'")
        }
        #expect(tables.count > 30)
        for table in tables { #expect(section.contains("`\(table)`"), "\(table)") }
    }

    @Test(arguments: compared)
    func `a change of any column of a compared table is found`(_ table: String) async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        try await RebuildScenario.open(storage) { scenario in
            let columns = try await storage.writer.read { try $0.columns(in: table) }
            for column in columns where column.name != "app" && !Self.decisions.contains("\(table).\(column.name)") {
                let name = column.name
                let value =
                    switch column.type {
                    case "INTEGER" where ["is_", "was_", "has_"].contains { name.hasPrefix($0) }: "1 - \(name)"
                    case "INTEGER": "coalesce(\(name), 0) + 1000000"
                    case "BLOB": "CAST(coalesce(\(name), x'') || x'00' AS BLOB)"
                    default: "coalesce(\(name), '') || 'x'"
                    }
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
                    try db.execute(sql: "CREATE TEMP TABLE kept AS SELECT * FROM \(table); UPDATE \(table) SET \(name) = \(value)")
                    #expect(db.changesCount > 0, "\(table) has no rows")
                }
                let (report, _) = try await scenario.rebuild()
                #expect(!report.isConsistent, "\(table).\(name)")
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(sql: "DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM kept; DROP TABLE kept")
                }
            }
            #expect(try await scenario.rebuild().report.isConsistent)
        }
    }
}
