import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// Signs a notification and puts it into the outbox, in the transaction of what it tells of.
    ///
    /// It is kept as it was signed: each attempt to deliver it sends the same bytes.
    func notify(
        _ notice: StoreNotice, about row: TransactionRow, _ subscription: Subscription? = nil, at now: Timestamp, _ db: Database
    ) throws {
        var data = NotificationData(bundleId: signer.bundleID, environment: LocalAppStore.environment.rawValue)
        data.bundleVersion = row.appVersion
        data.signedTransactionInfo = try signer.sign(row, at: now)
        data.signedRenewalInfo = try subscription.map { try signer.sign($0, at: now) }
        data.status = subscription?.status
        let payload = NotificationPayload(
            notificationType: notice.type,
            subtype: notice.subtype,
            notificationUUID: UUID().uuidString.lowercased(),
            signedDate: now,
            data: data
        )
        let notification = NotificationRow(
            uuid: payload.notificationUUID,
            type: notice.type,
            subtype: notice.subtype,
            signedDate: now,
            signedPayload: try signer.sign(payload)
        )
        try notification.insert(db)
    }

    /// The newest notifications and what became of them, oldest first, without what was signed.
    func deliveries() async throws -> DeliveriesReply {
        try await read { db in
            let sql = "SELECT uuid, type, subtype, attempts, isDelivered FROM notifications ORDER BY rowid DESC LIMIT ?"
            let newestFirst = try Row.fetchAll(db, sql: sql, arguments: [DeliveriesReply.limit]).map { row in
                DeliveriesReply.Delivery(
                    notificationUUID: row["uuid"],
                    type: row["type"],
                    subtype: row["subtype"],
                    attempts: row["attempts"],
                    delivered: row["isDelivered"]
                )
            }
            return DeliveriesReply(deliveries: newestFirst.reversed())
        }
    }
}
