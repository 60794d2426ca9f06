import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import PurchaseStorage

/// The interim results of a policy replay in a temporary database, so that memory use does not grow with the number of customers.
final class ReplayScratch: Sendable {
    private let queue: DatabaseQueue

    init() throws {
        // Pass an empty path, for which SQLite creates a temporary database on the disk, and removes the database on closing.
        queue = try DatabaseQueue(path: "")
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE entitlement (
                        customer TEXT NOT NULL, name TEXT NOT NULL, is_present INTEGER NOT NULL, is_other INTEGER NOT NULL,
                        present_value INTEGER NOT NULL, other_value INTEGER NOT NULL, currency TEXT NOT NULL,
                        PRIMARY KEY (customer, name)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE charge (purchase TEXT NOT NULL, charge TEXT NOT NULL, change TEXT NOT NULL, date INTEGER NOT NULL,
                        other_customer TEXT, other_currency TEXT, PRIMARY KEY (purchase, charge)) STRICT, WITHOUT ROWID;
                    CREATE INDEX charge_by_ledger ON charge (other_customer, other_currency, date);
                    CREATE TABLE ledger (customer TEXT NOT NULL, currency TEXT NOT NULL, PRIMARY KEY (customer, currency)) STRICT, WITHOUT ROWID;
                    CREATE TABLE balance (customer TEXT NOT NULL, currency TEXT NOT NULL, present INTEGER NOT NULL, other INTEGER NOT NULL,
                        is_frozen INTEGER NOT NULL, PRIMARY KEY (customer, currency)) STRICT, WITHOUT ROWID;
                    CREATE TABLE money (customer TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL,
                        PRIMARY KEY (customer, currency)) STRICT, WITHOUT ROWID;
                    """)
        }
    }

    /// Stores the changes of entitlements and charges of several purchases.
    func add(_ entitlements: [PurchaseReplay.EntitlementChange], _ charges: [PurchaseReplay.ChargeChange]) throws {
        try queue.write { db in
            for change in entitlements {
                // Store the greatest value, because several purchases may include the same entitlement.
                try db.execute(
                    sql: """
                        INSERT INTO entitlement VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                            is_present = max(is_present, excluded.is_present), is_other = max(is_other, excluded.is_other),
                            present_value = max(present_value, excluded.present_value), other_value = max(other_value, excluded.other_value),
                            currency = CASE WHEN max(excluded.present_value, excluded.other_value) > max(present_value, other_value)
                                THEN excluded.currency ELSE currency END
                        """,
                    arguments: [
                        change.customer.rawValue, change.name.rawValue, change.isPresent, change.isOther,
                        change.isPresent ? change.value : 0, change.isOther ? change.value : 0, change.currency,
                    ])
            }
            for change in charges {
                let json = String(decoding: try WireJSON.encode(change), as: UTF8.self)
                try db.execute(
                    sql: "INSERT INTO charge VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        change.purchase.rawValue, change.charge, json, change.date.milliseconds, change.other?.customer.rawValue,
                        change.other?.currency.rawValue,
                    ])
                for ledger in Set([change.present?.ledger, change.other?.ledger].compactMap { $0 }) { try Self.insert(ledger, db) }
                for (customer, milliunits) in change.values where milliunits != 0 {
                    // Add the amounts in Swift, because SQLite converts a sum beyond 64 bits to REAL, which the table refuses.
                    let amount = try Int64.fetchOne(
                        db, sql: "SELECT amount FROM money WHERE customer = ? AND currency = ?",
                        arguments: [customer.rawValue, change.priceCurrency])
                    try db.execute(
                        sql: "INSERT INTO money VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET amount = excluded.amount",
                        arguments: [customer.rawValue, change.priceCurrency, (amount ?? 0).adding(clamping: milliunits)])
                }
            }
        }
    }

    private static func insert(_ ledger: LedgerKey, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO ledger VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [ledger.customer.rawValue, ledger.currency.rawValue])
    }

    /// Stores ledgers to replay.
    func add(_ ledgers: [LedgerKey]) throws {
        try queue.write { db in for ledger in ledgers { try Self.insert(ledger, db) } }
    }

    /// Returns at most `limit` ledgers to replay, after a ledger, in the order of their keys.
    func ledgers(after ledger: LedgerKey?, limit: Int) throws -> [LedgerKey] {
        try queue.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM ledger WHERE (customer, currency) > (?, ?) ORDER BY customer, currency LIMIT ?",
                arguments: [ledger?.customer.rawValue ?? "", ledger?.currency.rawValue ?? "", limit]
            ).map { LedgerKey(customer: CustomerID($0["customer"] as String), currency: CurrencyID($0["currency"] as String)) }
        }
    }

    /// Returns the change of a charge's credits; nil for equal credits.
    func change(_ purchase: TransactionID, _ charge: String) throws -> PurchaseReplay.ChargeChange? {
        try changes("SELECT change FROM charge WHERE purchase = ? AND charge = ?", [purchase.rawValue, charge]).first
    }

    /// Returns the charges with credits in a ledger under the other configuration, in the order of their dates.
    func changes(in ledger: LedgerKey) throws -> [PurchaseReplay.ChargeChange] {
        try changes(
            "SELECT change FROM charge WHERE other_customer = ? AND other_currency = ? ORDER BY date, purchase, charge",
            [ledger.customer.rawValue, ledger.currency.rawValue])
    }

    private func changes(_ sql: String, _ arguments: StatementArguments) throws -> [PurchaseReplay.ChargeChange] {
        try queue.read { db in
            try String.fetchAll(db, sql: sql, arguments: arguments).map {
                try WireJSON.decode(PurchaseReplay.ChargeChange.self, from: Data($0.utf8))
            }
        }
    }

    /// Stores a balance that would change.
    func add(_ balance: PolicyReplayChange.Balance, of customer: CustomerID) throws {
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO balance VALUES (?, ?, ?, ?, ?)",
                arguments: [customer.rawValue, balance.currency.rawValue, balance.present, balance.other, balance.isFrozen])
        }
    }

    /// Returns the changes of at most `limit` customers after a customer, in the order of their identifiers.
    func changes(after customer: String, limit: Int) throws -> [PolicyReplayChange] {
        try queue.read { db in
            let customers = try String.fetchAll(
                db,
                sql: """
                    SELECT customer FROM (
                        SELECT customer FROM entitlement WHERE is_present <> is_other UNION SELECT customer FROM balance
                        UNION SELECT customer FROM money WHERE amount <> 0)
                    WHERE customer > ? ORDER BY customer LIMIT ?
                    """, arguments: [customer, limit])
            return try customers.map { try Self.change(of: $0, db) }
        }
    }

    private static func change(of customer: String, _ db: Database) throws -> PolicyReplayChange {
        var change = PolicyReplayChange(customer: CustomerID(customer))
        let entitlements = try Row.fetchAll(
            db, sql: "SELECT * FROM entitlement WHERE customer = ? AND is_present <> is_other ORDER BY name", arguments: [customer])
        for row in entitlements {
            let (name, isOther): (String, Bool) = (row["name"], row["is_other"])
            if isOther { change.gained.append(EntitlementName(name)) } else { change.lost.append(EntitlementName(name)) }
            let value: Int64 = isOther ? row["other_value"] : (row["present_value"] as Int64).negated
            if value != 0 { change.add(value, in: row["currency"]) }
        }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM balance WHERE customer = ? ORDER BY currency", arguments: [customer]) {
            change.balances.append(
                PolicyReplayChange.Balance(
                    currency: CurrencyID(row["currency"] as String), present: row["present"], other: row["other"],
                    isFrozen: row["is_frozen"]))
        }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM money WHERE customer = ? AND amount <> 0", arguments: [customer]) {
            change.add(row["amount"], in: row["currency"])
        }
        return change
    }
}
