import GRDB
import PurchaseModel

@testable import LocalAppStore

/// A transaction in the store's records, read without the store's code.
struct StoredTransaction: Sendable {
    let id: String
    let account: String
    let productID: ProductID
    /// The identifier of the payment; nil for a renewal and a restored transaction.
    let payment: String?
    let isCharged: Bool
    /// The price, in thousandths of the currency's main unit.
    let price: Int64
    /// The price less the refunds.
    let paid: Int64
    /// The refunded share, in thousandths of a percent; nil if the transaction is not refunded.
    let refundedPercentage: Int?
    /// Whether the store refunded the rest of a period because of an upgrade.
    let isUpgraded: Bool
    /// Whether a device has finished the transaction.
    let isFinished: Bool
}

extension SimulatedStore {
    /// All transactions in the order of their creation.
    func storedTransactions() async throws -> [StoredTransaction] {
        try await store.context.read { db in
            let sql = """
                SELECT t.*, EXISTS (SELECT * FROM charges c WHERE c.transactionID = t.id AND c.kind = 'charge') AS isCharged,
                    (SELECT coalesce(sum(amount), 0) FROM charges c WHERE c.transactionID = t.id) AS paid
                FROM transactions t ORDER BY t.rowid
                """
            return try Row.fetchAll(db, sql: sql).map { row in
                StoredTransaction(
                    id: row["id"], account: row["account"], productID: ProductID(row["productID"] as String), payment: row["payment"],
                    isCharged: row["isCharged"], price: row["price"], paid: row["paid"],
                    refundedPercentage: row["revokedAt"] == nil ? nil : row["revocationPercentage"] ?? 100_000,
                    isUpgraded: row["upgradedAt"] != nil, isFinished: row["finishedAt"] != nil)
            }
        }
    }

    /// The identifiers of the charged transactions with a price, in the order of their creation.
    func refundableTransactions() async throws -> [TransactionID] {
        try await store.context.read { db in
            let sql = "SELECT transactionID FROM charges WHERE kind = 'charge' AND amount > 0 ORDER BY id"
            return try String.fetchAll(db, sql: sql).map { TransactionID($0) }
        }
    }

    /// The latest subscription of an account; nil if it has none.
    func latestSubscription(of account: AccountID) async throws -> TransactionID? {
        try await store.context.read { db in try SubscriptionRecord.all(of: account, db) }.last?.id
    }
}
