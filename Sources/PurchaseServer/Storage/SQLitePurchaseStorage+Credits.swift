import GRDB
import PurchaseModel

extension SQLitePurchaseStorage {
    func balance(of customer: CustomerID) async throws -> Int {
        try await writer.read { try Self.balance(of: customer, in: $0) }
    }

    func spend(_ amount: Int, spending: String, by customer: CustomerID) async throws -> SpendingOutcome {
        try await writer.write { db in
            // The row is inserted only if the balance suffices and the idempotency key is new, and only then the balance is debited.
            try db.execute(
                sql: """
                    INSERT INTO spending (customer, spending, amount, balance)
                    SELECT customer, ?, ?, credits - ? FROM balance WHERE customer = ? AND credits >= ?
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [spending, amount, amount, customer.rawValue, amount]
            )
            if db.changesCount > 0 {
                try Self.add(-amount, to: customer, in: db)
                return .spent(balance: try Self.balance(of: customer, in: db))
            }
            let sql = "SELECT amount, balance FROM spending WHERE customer = ? AND spending = ?"
            guard let first = try Row.fetchOne(db, sql: sql, arguments: [customer.rawValue, spending]) else {
                return .tooSmall(balance: try Self.balance(of: customer, in: db))
            }
            return first["amount"] == amount ? .spent(balance: first["balance"]) : .reused
        }
    }

    static func balance(of customer: CustomerID, in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT credits FROM balance WHERE customer = ?", arguments: [customer.rawValue]) ?? 0
    }

    /// Adds credits to a customer's balance, or debits them if the number is negative; the balance can become negative.
    static func add(_ credits: Int, to customer: CustomerID, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO balance (customer, credits) VALUES (?, 0) ON CONFLICT DO NOTHING",
            arguments: [customer.rawValue]
        )
        try db.execute(
            sql: "UPDATE balance SET credits = credits + ? WHERE customer = ?",
            arguments: [credits, customer.rawValue]
        )
    }
}
