import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// Signs a notification and puts it into the outbox, in the transaction of what it tells of.
    ///
    /// It is kept as it was signed: each attempt to deliver it sends the same bytes.
    func notify(
        _ notice: StoreNotice, about row: TransactionRow, _ subscription: SubscriptionRow? = nil,
        consumptionReason: ConsumptionRequestReason? = nil, at now: Timestamp, _ db: Database
    ) throws {
        var data = NotificationData(bundleId: row.bundleID, environment: row.environment.rawValue)
        data.appAppleId = row.environment == .production ? apps[row.bundleID]?.row.appAppleID : nil
        data.bundleVersion = row.appVersion
        data.signedTransactionInfo = try signer.sign(row, at: now)
        data.signedRenewalInfo = try subscription.map { try signer.sign(renewalInfo($0, environment: row.environment, at: now)) }
        data.status = subscription?.subscription.status
        data.consumptionRequestReason = consumptionReason?.rawValue
        let payload = NotificationPayload(
            notificationType: notice.type.rawValue,
            subtype: notice.subtype?.rawValue,
            notificationUUID: UUID().uuidString.lowercased(),
            signedDate: now,
            data: data
        )
        let notification = NotificationRow(
            payload, signed: try signer.sign(payload), bundleID: row.bundleID, environment: row.environment, account: row.account,
            originalID: row.originalID
        )
        try notification.insert(db)
        let detail = [notice.type.rawValue, notice.subtype?.rawValue].compactMap { $0 }.joined(separator: " ")
        try record(.notification, about: row, at: now, detail: detail, db)
    }

    /// What the store intends with a subscription, as it stands now.
    func renewalInfo(_ row: SubscriptionRow, environment: AppEnvironment, at now: Timestamp) -> RenewalInfoPayload {
        let offers = apps[row.bundleID]?.catalogue.product(row.subscription.productID)?.subscription?.offers ?? []
        return row.subscription.renewalInfo(
            environment: environment, signedDate: now,
            eligibleWinBackOfferIDs: row.subscription.eligibleWinBackOfferIDs(among: offers)
        )
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
