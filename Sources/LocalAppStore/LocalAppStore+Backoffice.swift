import GRDB
public import PurchaseModel

extension LocalAppStore: Backoffice {
    /// The name over the page.
    public var title: String { "Local App Store" }

    /// The newest transactions, newest first; the owner is the account.
    public func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        let rows = try await ledger.read { db in
            let sql = "SELECT * FROM transactions ORDER BY rowid DESC LIMIT ?"
            return try TransactionRow.fetchAll(db, sql: sql, arguments: [max(limit, 0)])
        }
        return rows.map { row in
            BackofficeTransaction(
                date: row.purchaseDate,
                id: row.id,
                productID: row.productID,
                quantity: row.quantity,
                owner: row.account.rawValue,
                state: row.backofficeState
            )
        }
    }

    /// The newest notifications, newest first.
    public func notifications(limit: Int) async throws -> [BackofficeNotification] {
        let rows = try await ledger.read { db in
            let sql = "SELECT * FROM notifications ORDER BY rowid DESC LIMIT ?"
            return try NotificationRow.fetchAll(db, sql: sql, arguments: [max(limit, 0)])
        }
        return rows.map { row in
            let kind = [row.type, row.subtype].compactMap { $0 }.joined(separator: " ")
            return BackofficeNotification(date: row.signedDate, uuid: row.uuid, kind: kind, state: row.delivery.backofficeState)
        }
    }
}

extension TransactionRow {
    fileprivate var backofficeState: String {
        if revokedAt != nil { return "revoked" }
        if kind == .restore { return "restored" }
        return finishedAt == nil ? "unfinished" : "finished"
    }
}

extension Delivery {
    fileprivate var backofficeState: String {
        switch state {
        case .waiting(let until): attempts.isEmpty ? "waiting" : "tried \(attempts.count)×, again at \(until)"
        case .delivered: "delivered"
        case .abandoned: "abandoned"
        }
    }
}
