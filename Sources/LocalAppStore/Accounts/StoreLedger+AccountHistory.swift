import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The maximum number of an account's transactions in one response of the control API, which has the newest transactions.
    static let historyLimit = 1_000

    /// Returns an account's newest transactions in all apps, oldest first.
    func transactions(of account: AccountID) async throws -> TransactionsReply {
        let now = clock.now
        let rows = try await read { db in
            _ = try AccountRecord.require(account, db)
            let sql = "SELECT * FROM transactions WHERE account = ? ORDER BY rowid DESC LIMIT ?"
            return try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue, Self.historyLimit]).reversed()
                as [TransactionRecord]
        }
        return TransactionsReply(
            signedTransactions: try rows.map { try signer.sign($0, at: now) },
            summaries: rows.map {
                TransactionSummary(
                    payload: $0.payload(signedDate: now), kind: $0.kind.rawValue, finishedDate: $0.finishedAt, orderID: $0.orderID)
            }
        )
    }

    /// Returns an account's subscriptions in all apps, in the order of their first purchases.
    func subscriptions(of account: AccountID) async throws -> SubscriptionsReply {
        let now = clock.now
        return try await read { db in
            let environment = try AccountRecord.require(account, db).environment
            return SubscriptionsReply(
                subscriptions: try SubscriptionRecord.all(of: account, db).map { describe($0, environment: environment, at: now) })
        }
    }

    /// Returns a subscription in the control API's format.
    func describe(_ row: SubscriptionRecord, environment: AppEnvironment, at now: Timestamp) -> SubscriptionDescription {
        SubscriptionDescription(
            bundleID: row.bundleID, group: row.groupID, status: row.subscription.status, isShared: row.purchaserTransactionID != nil,
            renewalInfo: renewalInfo(row, environment: environment, at: now), nextRenewalDate: row.nextRenewalDate
        )
    }
}
