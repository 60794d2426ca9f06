import Foundation
import GRDB
import PrivateFiles
import PurchaseModel
import StoreProtocol

/// The transaction histories of the device's accounts, which StoreKit 2 reads without a network.
///
/// The journal stores the transactions as the store signed them. Every reader verifies them again.
extension Journal {
    /// A transaction of the history as the store sent it, with its verified payload.
    struct Entry: Sendable {
        var purchase: HistoryReply.Purchase
        var payload: TransactionPayload

        var id: TransactionID { payload.transactionId }
        var isRevoked: Bool { payload.revocationDate != nil }

        /// Returns whether a version of the transaction that was verified before states the same revocation, or can't be read.
        fileprivate func hasRevocation(of earlier: SignedTransaction?) -> Bool {
            guard let earlier = earlier?.unverifiedPayload else { return true }
            return earlier.revocationDate == payload.revocationDate && earlier.revocationReason == payload.revocationReason
                && earlier.revocationType == payload.revocationType && earlier.revocationPercentage == payload.revocationPercentage
        }
    }

    /// A change of the stored history by a page of the store's history.
    enum HistoryChange: Sendable {
        /// The transaction is new.
        case new(Entry)
        /// The transaction was revoked, its refund was reversed, or another refund replaced its refund.
        case changed(Entry)

        /// Whether an app still has to deliver and finish the transaction.
        var isUnfinished: Bool {
            switch self {
            case .new(let entry), .changed(let entry): !entry.purchase.isFinished
            }
        }
    }

    /// Updates the history of a payment's account if the payment is purchased or finished.
    ///
    /// Restored transactions are copies of other transactions, and are not part of the history.
    static func updateHistory(with record: PaymentQueueRecord, _ database: Database) throws {
        guard let account = record.account?.rawValue else { return }
        switch record.state {
        case .purchased(let recorded):
            try database.cachedStatement(
                sql: """
                    INSERT INTO purchase (account, id, date, isRevoked, isFinished, signed) VALUES (?, ?, ?, 0, 0, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [account, recorded.id.rawValue, recorded.date.milliseconds, recorded.signed.compact])
        case .finished(let id):
            try database.cachedStatement(sql: "UPDATE purchase SET isFinished = 1 WHERE account = ? AND id = ?")
                .execute(arguments: [account, id.rawValue])
        case .queued, .confirmed, .deferred, .restored, .failed:
            break
        }
    }

    /// Returns the cursor at which the next fetch of an account's history continues, or nil before the first fetch.
    func cursor(of account: AccountID) throws -> String? {
        try database.read { try String.fetchOne($0, sql: "SELECT value FROM cursor WHERE account = ?", arguments: [account.rawValue]) }
    }

    /// Stores a page of an account's history, and returns the changes.
    ///
    /// The first page of a complete history replaces the stored one in one write, so that a kill never leaves the journal without both.
    ///
    /// - Parameters:
    ///   - cursor: The cursor at which the next fetch continues; nil to keep the stored cursor, so that the next fetch repeats the page.
    ///   - isReplaced: Whether the page is the first of the complete history, which replaces the stored transactions.
    func apply(_ entries: [Entry], cursor: String?, of account: AccountID, replacing isReplaced: Bool = false) throws -> [HistoryChange] {
        try change("history") { database in
            if isReplaced { try database.execute(sql: "DELETE FROM purchase WHERE account = ?", arguments: [account.rawValue]) }
            var changes: [HistoryChange] = []
            for entry in entries {
                let key: StatementArguments = [account.rawValue, entry.id.rawValue]
                // Only the signed text of a revoked transaction is read: a refund can replace a refund whose reversal the device missed.
                let known = try Row.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT isRevoked, iif(isRevoked, signed, NULL) AS signed FROM purchase WHERE account = ? AND id = ?"),
                    arguments: key)
                if let known {
                    let signed = String.fromDatabaseValue(known["signed"]).map { SignedTransaction($0) }
                    if known["isRevoked"] != entry.isRevoked || entry.isRevoked && !entry.hasRevocation(of: signed) {
                        changes.append(.changed(entry))
                    }
                } else {
                    changes.append(.new(entry))
                }
                let payload = entry.payload
                try database.cachedStatement(
                    sql: """
                        INSERT INTO purchase (account, id, date, isRevoked, isFinished, signed, product, type, subscriptionGroup)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET date = excluded.date, isRevoked = excluded.isRevoked, signed = excluded.signed,
                            isFinished = max(isFinished, excluded.isFinished),
                            product = excluded.product, type = excluded.type, subscriptionGroup = excluded.subscriptionGroup
                        """
                ).execute(
                    arguments: key + [
                        payload.purchaseDate.milliseconds, entry.isRevoked, entry.purchase.isFinished,
                        entry.purchase.signedTransaction.compact,
                        payload.productId.rawValue, payload.type ?? "", payload.subscriptionGroupIdentifier?.rawValue ?? "",
                    ])
            }
            guard let cursor else { return changes }
            try database.execute(
                sql: "INSERT INTO cursor (account, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                arguments: [account.rawValue, cursor])
            return changes
        }
    }

    /// Returns whether a transaction is in an account's stored history.
    func contains(_ transaction: TransactionID, of account: AccountID) throws -> Bool {
        try database.read { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM purchase WHERE account = ? AND id = ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [account.rawValue, transaction.rawValue]) ?? false
        }
    }

    /// Returns the transactions of an account that pass a filter, oldest first.
    func purchases(of account: AccountID, _ selection: HistorySelection = .everything) throws -> [HistoryReply.Purchase] {
        try database.read { database in
            let request = SQLRequest<Row>(
                literal: """
                    SELECT signed, isFinished FROM \(selection.source) WHERE account = \(account.rawValue) AND \(selection.condition)
                    ORDER BY date, length(id), id
                    """)
            return try request.fetchAll(database).compactMap { row in
                guard let signed = String.fromDatabaseValue(row["signed"]), let done = Bool.fromDatabaseValue(row["isFinished"]) else {
                    return nil
                }
                return HistoryReply.Purchase(signedTransaction: SignedTransaction(signed), isFinished: done)
            }
        }
    }

    /// Returns the transactions of an account that no device has finished, oldest first.
    func unfinished(of account: AccountID) throws -> [(id: TransactionID, signed: SignedTransaction)] {
        try database.read { database in
            // The query uses the index, so that SQLite does not read the signed texts of finished transactions.
            let sql = """
                SELECT id, signed FROM purchase INDEXED BY purchaseBySelection WHERE account = ? AND NOT isFinished
                ORDER BY date, length(id), id
                """
            return try Row.fetchAll(database, sql: sql, arguments: [account.rawValue]).compactMap { row in
                guard let id = String.fromDatabaseValue(row["id"]), let signed = String.fromDatabaseValue(row["signed"]) else { return nil }
                return (TransactionID(id), SignedTransaction(signed))
            }
        }
    }

    /// Returns the stored states of an account's subscriptions.
    func statuses(of account: AccountID) throws -> [HistoryReply.Status] {
        try database.read { database in
            try Data.fetchAll(
                database, sql: "SELECT status FROM subscription WHERE account = ? ORDER BY number", arguments: [account.rawValue]
            ).compactMap { try? SubscriptionStatusRecord.read($0) }
        }
    }

    /// Replaces the stored states of an account's subscriptions.
    func set(_ statuses: [HistoryReply.Status], of account: AccountID) throws {
        try change("statuses") { database in
            try database.execute(sql: "DELETE FROM subscription WHERE account = ?", arguments: [account.rawValue])
            for (number, status) in statuses.enumerated() {
                try database.execute(
                    sql: "INSERT INTO subscription (account, number, status) VALUES (?, ?, ?)",
                    arguments: [account.rawValue, number, try SubscriptionStatusRecord.write(status)])
            }
        }
    }
}
