import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The service that lists App Store Server Notifications; ``NoticeService`` signs them, and ``NotificationSender`` sends them.
struct NotificationService: Sendable {
    let context: StoreContext

    /// Returns the newest notifications with the states of their delivery, oldest first, and without their payloads.
    func deliveries() async throws -> DeliveriesReply {
        try await context.read { db in
            let sql = """
                SELECT n.uuid, n.type, n.subtype, n.attempts, n.isDelivered, n.signedDate, n.account, json_extract(n.sendAttempts, '$[#-1]') AS lastAttempt,
                    CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL AS hasAddress
                FROM notifications n LEFT JOIN apps a ON a.bundleID = n.bundleID ORDER BY n.rowid DESC LIMIT ?
                """
            let newestFirst = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [DeliveriesReply.limit]).map { row in
                var delivery = NotificationDelivery(
                    notificationUUID: row["uuid"],
                    type: row["type"],
                    subtype: row["subtype"],
                    attempts: row["attempts"],
                    delivered: row["isDelivered"],
                    hasAddress: row["hasAddress"],
                    signedDate: (row["signedDate"] as Int64?).map { Timestamp(milliseconds: $0) },
                    account: (row["account"] as String?).map { AccountID($0) }
                )
                let lastAttempt = (row["lastAttempt"] as String?).map { Data($0.utf8) }
                delivery.lastAttempt = try lastAttempt.map { try WireJSON.decode(DeliveryAttempt.self, from: $0) }
                return delivery
            }
            return DeliveriesReply(deliveries: newestFirst.reversed())
        }
    }

    /// Returns the notifications that are due and whose app has a notification URL, after a position in the outbox.
    func outbox(after position: OutboxPosition, at now: Timestamp, limit: Int) async throws -> [(
        row: NotificationRecord, position: OutboxPosition
    )] {
        try await context.read { db in
            let number = "CASE n.isHeld WHEN 1 THEN -n.rowid ELSE n.rowid END"
            let sql = """
                SELECT n.*, \(number) AS outboxNumber FROM notifications n JOIN apps a ON a.bundleID = n.bundleID
                WHERE n.nextAttempt <= ? AND (n.isHeld, \(number)) > (?, ?)
                    AND CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL
                ORDER BY n.isHeld, outboxNumber LIMIT ?
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [now.milliseconds, position.isHeld, position.number, limit])
                .map {
                    row in
                    (try NotificationRecord(row: row), OutboxPosition(isHeld: row["isHeld"], number: row["outboxNumber"]))
                }
        }
    }

    /// Returns the date of the first attempt to send a notification after a date; nil if there is none.
    ///
    /// Notifications without a URL to which they are sent count, too.
    func nextAttempt(after date: Timestamp, _ db: Database) throws -> Timestamp? {
        let sql = "SELECT min(nextAttempt) FROM notifications WHERE nextAttempt > ?"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [date.milliseconds]).map { Timestamp(milliseconds: $0) }
    }

    /// Returns the date of the first attempt to send a notification to a URL; nil if there is none.
    ///
    /// The date is in the past for a notification that is due.
    func nextDeliveryDate(_ db: Database) throws -> Timestamp? {
        guard context.apps.all.contains(where: \.row.hasNotificationURL) else { return nil }
        let sql = """
            SELECT n.nextAttempt FROM notifications n CROSS JOIN apps a ON a.bundleID = n.bundleID
            WHERE n.nextAttempt IS NOT NULL
                AND CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL
            ORDER BY n.nextAttempt LIMIT 1
            """
        return try Int64.fetchOne(db.cachedStatement(sql: sql)).map { Timestamp(milliseconds: $0) }
    }

    /// Returns all details of a notification, with its decoded payloads and its send attempts.
    ///
    /// - Throws: ``NotificationError/unknown`` if the store has no notification with the UUID.
    func details(of uuid: String) async throws -> NotificationDetails {
        let row = try await context.read { db in try NotificationRecord.fetchOne(db, key: uuid.lowercased()) }
        guard let row else { throw NotificationError.unknown }
        let payload = Self.payload(of: row.signedPayload.compact)
        var details = NotificationDetails(
            notificationUUID: row.uuid, type: row.type, subtype: row.subtype, version: row.version, bundleID: row.bundleID,
            environment: row.environment, signedDate: row.signedDate, payload: payload ?? JSONText(Data("null".utf8))
        )
        details.account = row.account
        details.body = row.sentBody
        details.sendAttempts = row.delivery.attempts
        details.delivered = row.delivery.state == .delivered
        details.nextAttempt = row.delivery.nextAttempt
        guard let nested = payload.flatMap({ try? WireJSON.decode(NotificationPayload.self, from: $0.data) }) else { return details }
        details.transaction = (nested.data?.signedTransactionInfo?.compact).flatMap(Self.payload(of:))
        details.renewalInfo = (nested.data?.signedRenewalInfo?.compact).flatMap(Self.payload(of:))
        if case .appData(let app) = nested.subject {
            details.appTransaction = (app.signedAppTransactionInfo?.compact).flatMap(Self.payload(of:))
        }
        return details
    }

    /// Returns the payload of a JWS for display; nil if the text is not a JWS.
    ///
    /// The signature is not verified, because the store signed the JWS itself, and a fault may have made the signature invalid.
    private static func payload(of compact: String) -> JSONText? {
        (try? UnverifiedJWS(compact)).map { JSONText(Data($0.payload)) }
    }

    /// Schedules one more attempt to send a notification, even if it is delivered or abandoned.
    ///
    /// - Throws: ``NotificationError/unknown`` if the store has no notification with the UUID.
    func resend(_ uuid: String) async throws {
        try await context.transaction { db, now in
            guard var row = try NotificationRecord.fetchOne(db, key: uuid.lowercased()) else { throw NotificationError.unknown }
            row.scheduleRetry(at: now)
            try row.update(db)
        }
    }
}

/// The position of a notification in the outbox, the ordered list of notifications to be sent.
///
/// Notifications that a fault holds back follow all others, and the newest of them is the first.
struct OutboxPosition: Hashable, Sendable {
    static let beginning = OutboxPosition(isHeld: false, number: 0)

    var isHeld: Bool
    /// The number by which notifications with the same ``isHeld`` are sorted.
    var number: Int64
}
