import Foundation
import FoundationExtras
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
    /// The price of the seats that were refunded one by one, in thousandths of the currency's main unit.
    let seatRefund: Int64
    /// Whether the store refunded the rest of a period because of an upgrade.
    let isUpgraded: Bool
    /// Whether a device has finished the transaction.
    let isFinished: Bool
}

/// A purchaser's subscription that is sold in seats, as the store's records state it.
struct StoredSeats: Sendable {
    let id: TransactionID
    let account: AccountID
    let productID: ProductID
    /// The number of seats according to the subscription.
    let count: Int
    /// The number of seats of the newest period that are not refunded, according to the transactions.
    let remaining: Int
    let isRevoked: Bool
    let hasEnded: Bool
    /// The number of members whom the store invited.
    let members: Int
    /// The identifiers of the active claims, oldest first.
    let claims: [String]
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
                    seatRefund: try Self.seatRefund(row["multiSeatInfo"]),
                    isUpgraded: row["upgradedAt"] != nil, isFinished: row["finishedAt"] != nil)
            }
        }
    }

    /// The price of the refunded seats of a transaction: those with the lowest prices.
    private static func seatRefund(_ info: String?) throws -> Int64 {
        guard let info else { return 0 }
        let seats = try WireJSON.decode(TransactionMultiSeatInfo.self, from: Data(info.utf8))
        let prices = (seats.priceTiers ?? []).flatMap { Array(repeating: $0.price ?? 0, count: $0.quantity ?? 0) }
        return prices.sorted().prefix(seats.revokedSeatQuantity ?? 0).reduce(0, +)
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
        try await store.context.read { db in try SubscriptionRecord.all(of: account, db) }
            .last { $0.purchaserTransactionID == nil }?.id
    }

    /// The subscriptions of purchasers that are sold in seats.
    func seatSubscriptions() async throws -> [StoredSeats] {
        try await store.context.read { db in
            let sql = "SELECT * FROM subscriptions WHERE purchaserTransactionID IS NULL ORDER BY rowid"
            return try SubscriptionRecord.fetchAll(db, sql: sql).compactMap { row in
                guard let seats = row.subscription.seats, let newest = try TransactionRecord.newestPeriod(of: row.id, db) else {
                    return nil
                }
                let claims = "SELECT id FROM seatClaims WHERE originalID = ? AND releasedAt IS NULL ORDER BY rowid"
                return StoredSeats(
                    id: row.id, account: row.account, productID: row.subscription.productID, count: seats.count,
                    remaining: try TransactionRecord.ofPeriod(newest, db).reduce(0) { $0 + $1.remainingSeats },
                    isRevoked: row.subscription.state == .revoked, hasEnded: row.subscription.hasEnded,
                    members: try SubscriptionRecord.members(of: row.id, db).count,
                    claims: try String.fetchAll(db, sql: claims, arguments: [row.id.rawValue]))
            }
        }
    }

    /// Returns whether seats were added to the newest period of a subscription.
    func hasAddedSeats(_ id: TransactionID) async throws -> Bool {
        try await store.context.read { db in
            guard let newest = try TransactionRecord.newestPeriod(of: id, db) else { return false }
            return try TransactionRecord.ofPeriod(newest, db).count > 1
        }
    }

    /// The number of memberships that the store has assigned, also of those that have ended.
    func seatMembers() async throws -> Int {
        try await store.context.read { db in
            try SubscriptionRecord.fetchAll(db, sql: "SELECT * FROM subscriptions").count { $0.subscription.ownership == .assigned }
        }
    }

    /// The purchased transactions with seats that are not refunded, in the order of their creation, with the number of these seats.
    func seatTransactions() async throws -> [(id: TransactionID, seats: Int)] {
        try await store.context.read { db in
            let sql = "SELECT * FROM transactions WHERE multiSeatInfo IS NOT NULL AND kind IN ('purchase', 'renewal') ORDER BY rowid"
            return try TransactionRecord.fetchAll(db, sql: sql).filter { $0.purchaserTransactionID == nil }
                .map { ($0.id, $0.remainingSeats) }
        }
    }
}
