import GRDB

extension Journal {
    /// The migrator that creates the tables of a new journal.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("journal") { database in
            try database.create(table: "payment") { table in
                table.primaryKey("id", .text)
                table.column("transactionID", .text).unique()
                table.column("record", .blob).notNull()
            }
            try createHistory(in: database)
            try database.create(table: "acknowledgment", options: .withoutRowID) { table in
                table.column("account", .text).notNull()
                table.column("message", .text).notNull()
                table.primaryKey(["account", "message"])
            }
            try database.create(table: "idempotencyKey", options: .withoutRowID) { table in
                table.column("account", .text).notNull()
                table.column("operation", .text).notNull()
                table.column("payment", .text).notNull()
                table.primaryKey(["account", "operation"])
            }
        }
        return migrator
    }

    private static func createHistory(in database: Database) throws {
        try database.create(table: "purchase", options: .withoutRowID) { table in
            table.column("account", .text).notNull()
            table.column("id", .text).notNull()
            table.column("date", .integer).notNull()
            table.column("isRevoked", .boolean).notNull()
            table.column("isFinished", .boolean).notNull()
            table.column("signed", .text).notNull()
            // These columns are empty while only the payment queue has reported the purchase, and the store's history has not.
            table.column("product", .text).notNull().defaults(to: "")
            table.column("type", .text).notNull().defaults(to: "")
            table.column("subscriptionGroup", .text).notNull().defaults(to: "")
            table.primaryKey(["account", "id"])
        }
        // The index covers every column that HistorySelection reads, so that SQLite reads the signed texts of selected rows only.
        try database.create(
            index: "purchaseBySelection", on: "purchase",
            columns: ["account", "type", "product", "subscriptionGroup", "isFinished", "isRevoked"])
        try database.create(table: "subscription", options: .withoutRowID) { table in
            table.column("account", .text).notNull()
            table.column("number", .integer).notNull()
            table.column("status", .blob).notNull()
            table.primaryKey(["account", "number"])
        }
        try database.create(table: "cursor", options: .withoutRowID) { table in
            table.primaryKey("account", .text)
            table.column("value", .text).notNull()
        }
    }
}
