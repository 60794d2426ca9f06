import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

extension StoreLedger {
    /// Returns all details of a notification, with its decoded payloads and its send attempts.
    ///
    /// - Throws: ``StoreError/notificationUnknown`` if the store has no notification with the UUID.
    func details(of uuid: String) async throws -> NotificationDetails {
        let row = try await read { db in try NotificationRecord.fetchOne(db, key: uuid.lowercased()) }
        guard let row else { throw StoreError.notificationUnknown }
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
    /// - Throws: ``StoreError/notificationUnknown`` if the store has no notification with the UUID.
    func resend(_ uuid: String) async throws {
        try await write { db, now in
            guard var row = try NotificationRecord.fetchOne(db, key: uuid.lowercased()) else { throw StoreError.notificationUnknown }
            row.scheduleRetry(at: now)
            try row.update(db)
        }
    }
}
