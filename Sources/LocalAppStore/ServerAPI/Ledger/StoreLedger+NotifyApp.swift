import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// Signs a notification that is about no single purchase and puts it into the outbox; its identifier.
    @discardableResult
    func notify(
        _ notice: StoreNotice, _ subject: NotificationSubject, of bundleID: BundleID, in environment: AppEnvironment, at now: Timestamp,
        _ db: Database
    ) throws -> String {
        let payload = NotificationPayload(
            notificationType: notice.type.rawValue, subtype: notice.subtype?.rawValue, notificationUUID: UUID().uuidString.lowercased(),
            signedDate: now, subject: subject
        )
        try NotificationRow(
            payload, signed: try signer.sign(payload), bundleID: bundleID, environment: environment, account: nil, originalID: nil
        ).insert(db)
        let detail = [notice.type.rawValue, notice.subtype?.rawValue].compactMap { $0 }.joined(separator: " ")
        try record(EventRow(date: now, kind: .notification, bundleID: bundleID, detail: detail), db)
        return payload.notificationUUID
    }
}
