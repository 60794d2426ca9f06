import GRDB
import PurchaseModel

/// The removal of an account with everything that belongs to it.
struct AccountRemoval {
    /// The statements that delete the rows of one account, in the order of the foreign keys: referring rows precede their targets.
    ///
    /// Each statement deletes all rows of its table at once, because rows of `transactions` refer to each other.
    private static let statements = [
        "DELETE FROM refundRequests WHERE transactionID IN (SELECT id FROM transactions WHERE account = ?)",
        "DELETE FROM importedVersions WHERE transactionID IN (SELECT id FROM transactions WHERE account = ?)",
        "DELETE FROM charges WHERE account = ?",
        "DELETE FROM seatClaims WHERE originalID IN (SELECT id FROM subscriptions WHERE account = ?)",
        "DELETE FROM subscriptions WHERE account = ?",
        "DELETE FROM transactions WHERE account = ?",
        "DELETE FROM payments WHERE account = ?",
        "DELETE FROM restores WHERE account = ?",
        "DELETE FROM promotions WHERE account = ?",
        "DELETE FROM downloads WHERE account = ?",
        "DELETE FROM sessions WHERE account = ?",
        "DELETE FROM events WHERE account = ?",
        "DELETE FROM accounts WHERE id = ?",
    ]

    /// Removes an account, its purchases, its sign-ins and its events, as part of the running database transaction.
    ///
    /// Notifications stay in the log of sent notifications.
    ///
    /// - Throws: ``AccountError/unknown`` if the store has no such account, or ``AccountError/shared`` if other accounts have purchases
    ///   that the account shared, even revoked ones: their transactions state the purchaser's.
    static func remove(_ account: AccountID, _ db: Database) throws {
        _ = try AccountRecord.require(account, db)
        let shared = """
            SELECT EXISTS (
                SELECT 1 FROM transactions s JOIN transactions t ON t.purchaserTransactionID = s.id
                WHERE s.account = :account AND t.account <> :account
            )
            """
        guard try Bool.fetchOne(db, sql: shared, arguments: ["account": account.rawValue]) == false else { throw AccountError.shared }
        for sql in statements { try db.execute(sql: sql, arguments: [account.rawValue]) }
        // SQLite uses the numbers of deleted rows at the end of a table again. The remaining rows all precede the recorded numbers, so that
        // the recorded numbers can become those of the last remaining rows.
        try db.execute(
            sql: """
                UPDATE sessions SET lastTransactionRow = (SELECT coalesce(max(rowid), 0) FROM transactions)
                WHERE lastTransactionRow > (SELECT coalesce(max(rowid), 0) FROM transactions);
                UPDATE massExtensions SET lastProcessedRow = (SELECT coalesce(max(rowid), 0) FROM subscriptions)
                WHERE lastProcessedRow > (SELECT coalesce(max(rowid), 0) FROM subscriptions);
                """)
    }
}
