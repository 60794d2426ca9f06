import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service for the actions of test sessions that the control API does not have.
struct InProcessService: Sendable {
    let context: StoreContext
    let subscriptions: SubscriptionService
    let events: EventService

    /// Makes the store behave like Xcode's store.
    ///
    /// Transactions have small numbers and dates with milliseconds, and refund requests are approved immediately.
    ///
    /// - Parameter number: The number of the first transaction.
    func useXcodeBehavior(firstTransactionNumber number: Int64) async throws {
        try await context.transaction { db, _ in
            try StoreSettings.approvesRefunds.set("yes", db)
            var rules = try context.apps.rules(db)
            rules.hasMillisecondPrecision = true
            try StoreSettings.set(rules, db)
            try db.execute(
                sql: "UPDATE counters SET value = ? WHERE name IN ('transaction', 'orderLine')", arguments: [number - 1])
        }
    }

    /// Returns the number after the highest transaction or order line number that the store has assigned.
    func nextTransactionNumber() async throws -> Int64 {
        try await context.read { db in
            let sql = "SELECT max(value) FROM counters WHERE name IN ('transaction', 'orderLine')"
            return (try Int64.fetchOne(db, sql: sql) ?? -1) + 1
        }
    }

    /// Returns an account's transactions, oldest first, followed by its pending payments.
    func inProcessTransactions(of account: AccountID) async throws -> [InProcessTransaction] {
        try await context.read { db in
            let subscriptions = try SubscriptionRecord.all(of: account, db)
            let byID = Dictionary(subscriptions.map { ($0.id, $0.subscription) }) { first, _ in first }
            let rows = try TransactionRecord.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM transactions WHERE account = ? ORDER BY rowid"), arguments: [account.rawValue])
            let sql = "SELECT rowid AS row, * FROM payments WHERE account = ? AND state IN ('deferred', 'interrupted') ORDER BY rowid"
            let pending = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue]).map { row in
                let payment = try PaymentRecord(row: row)
                return InProcessTransaction(payment, row: row["row"], at: try date(of: payment, db))
            }
            return rows.compactMap { InProcessTransaction($0, byID[$0.originalID]) } + pending
        }
    }

    /// Returns the date on which a payment became pending; the current date if that date is unknown.
    ///
    /// Only the event about the payment states the date.
    private func date(of payment: PaymentRecord, _ db: Database) throws -> Timestamp {
        let sql = "SELECT date FROM events WHERE account = ? AND detail = ? AND kind IN ('deferred', 'interruption') LIMIT 1"
        let arguments: StatementArguments = [payment.account.rawValue, payment.id.rawValue]
        let milliseconds = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
        return milliseconds.map { Timestamp(milliseconds: $0) } ?? context.clock.now
    }

    /// Returns the pending payment with a number of ``InProcessTransaction``; nil if there is none.
    func pendingPayment(_ number: Int64) async throws -> PaymentRecord? {
        let (row, overflow) = number.subtractingReportingOverflow(InProcessTransaction.firstPendingNumber)
        guard !overflow, row > 0 else { return nil }
        return try await context.read { db in
            try PaymentRecord.fetchOne(
                db, sql: "SELECT * FROM payments WHERE rowid = ? AND state IN ('deferred', 'interrupted')", arguments: [row])
        }
    }

    /// Resolves the billing issue of the subscription to which a transaction belongs.
    ///
    /// The overdue renewal succeeds even if the catalog's settings make renewals fail.
    func resolveBillingIssue(_ id: TransactionID) async throws {
        try await context.transaction { db, now in
            guard let first = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
            guard let row = try SubscriptionRecord.fetchOne(db, key: first.originalID.rawValue) else { return }
            try subscriptions.apply(.billingIssueResolved, to: row, at: now, db)
        }
    }

    /// Sets the time rate and the billing grace period of new subscriptions, and of existing subscriptions from their next renewal on.
    func set(timeRate: SubscriptionTimeRate, billingGracePeriodIsEnabled: Bool) async throws {
        try await context.transaction { db, _ in
            var rules = try context.apps.rules(db)
            (rules.timeRate, rules.billingGracePeriodIsEnabled) = (timeRate, billingGracePeriodIsEnabled)
            try StoreSettings.set(rules, db)
            for var row in try SubscriptionRecord.fetchAll(db) {
                row.change { ($0.rules.timeRate, $0.rules.billingGracePeriodIsEnabled) = (timeRate, billingGracePeriodIsEnabled) }
                try row.update(db)
            }
        }
    }

    /// Deletes a purchase with its renewals, restored transactions, charges, refund requests and subscription.
    ///
    /// The devices of the account then fetch their transaction history again from the beginning.
    ///
    /// - Returns: The identifiers of the deleted transactions.
    func delete(_ id: TransactionID, of account: AccountID) async throws -> [TransactionID] {
        try await context.transaction { db, now in
            guard let row = try TransactionRecord.find(id, db), row.account == account else { throw StoreError.transactionUnknown }
            let select = "SELECT id FROM transactions WHERE originalID = :original"
            let deletedIDs = try String.fetchAll(db, sql: select, arguments: ["original": row.originalID.rawValue]).map {
                TransactionID($0)
            }
            let all = "(\(select))"
            let deletions = [
                "DELETE FROM refundRequests WHERE transactionID IN \(all)", "DELETE FROM charges WHERE transactionID IN \(all)",
                "DELETE FROM importedVersions WHERE transactionID IN \(all)",
                "DELETE FROM seatClaims WHERE originalID = :original", "DELETE FROM subscriptions WHERE id = :original",
                "DELETE FROM payments WHERE id IN (SELECT payment FROM transactions WHERE originalID = :original)",
                "DELETE FROM transactions WHERE originalID = :original",
            ]
            // The deleted rows refer to each other, so the database checks foreign keys only at the end of the database transaction.
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            for sql in deletions { try db.execute(sql: sql, arguments: ["original": row.originalID.rawValue]) }
            let count = try StoreSettings.deletions.value(db).flatMap { Int64($0) } ?? 0
            try StoreSettings.deletions.set(String(count + 1), db)
            try events.insertEvent(
                EventRecord(date: now, kind: .account, bundleID: row.bundleID, account: account, detail: "transactions deleted"), db)
            return deletedIDs
        }
    }
}
