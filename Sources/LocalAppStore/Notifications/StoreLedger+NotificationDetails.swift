import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

extension StoreLedger {
    /// All details of a notification.
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

    /// The payload of a JWS for display; the signature is not verified, because the store signed the JWS itself and may have signed it
    /// wrongly for a fault.
    private static func payload(of compact: String) -> JSONText? {
        (try? UnverifiedJWS(compact)).map { JSONText(Data($0.payload)) }
    }

    /// Schedules one more attempt for a notification, regardless of its state.
    func resend(_ uuid: String) async throws {
        try await write { db, now in
            guard var row = try NotificationRecord.fetchOne(db, key: uuid.lowercased()) else { throw StoreError.notificationUnknown }
            row.scheduleRetry(at: now)
            try row.update(db)
        }
    }
}
