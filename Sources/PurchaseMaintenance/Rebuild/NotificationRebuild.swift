import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage

/// Verifies stored notifications again, and compares their columns and events with their signed data.
struct NotificationRebuild: Sendable {
    let app: BundleID
    let verifier: OriginalVerifier
    let recorder: PurchaseRecorder
    let storage: any SQLPurchaseStorage

    /// Compares a stored notification with its signed data, and repairs the differences if `isWriting` is true.
    ///
    /// - Returns: The differences.
    func compare(_ stored: StoredNotification, isWriting: Bool) async throws -> RebuildFindings {
        var findings = RebuildFindings(app: app, isWriting: false)
        guard stored.isSigned else { return findings }
        guard let signed = stored.signed else {
            findings.addDamage(.original, "The header of the notification \(stored.uuid) is missing in the database.")
            return findings
        }
        let verified: VerifiedNotification
        do {
            verified = try await verifier.notifications.verify(signed)
        } catch {
            findings.addDamage(
                .original, "The notification \(stored.uuid) is damaged, or can't be verified: \(error.defect.message)",
                isUntrusted: error.defect.isUntrusted)
            return findings
        }
        let differences = try await storage.readTables(app) { try compare(stored, verified, in: $0, isWriting: false) }
        guard isWriting, !differences.differences.isEmpty else { return differences }
        return try await storage.writeTables(app) { try compare(stored, verified, in: $0, isWriting: true) }
    }

    private func compare(
        _ stored: StoredNotification, _ verified: VerifiedNotification, in records: SQLTransaction, isWriting: Bool
    ) throws -> RebuildFindings {
        var findings = RebuildFindings(app: app, isWriting: isWriting)
        let record = ReceivedNotification(verified, receivedAt: stored.receivedAt)
        let isUnderstood = verified.notification.payload.isUnderstood
        let values = [
            ("uuid", stored.uuid, record.uuid), ("kind", stored.kind, record.kind),
            ("signedDate", "\(stored.signedDate)", "\(record.signedDate)"),
            ("hasTransaction", "\(stored.hasTransaction)", "\(record.hasTransaction)"),
            ("isUnderstood", "\(try !records.isUnknown(notification: stored.uuid))", "\(isUnderstood)"),
        ]
        let changes = values.filter { $0.1 != $0.2 }.map { RebuildDifference.Change($0.0, stored: $0.1, recomputed: $0.2) }
        if stored.uuid != record.uuid {
            findings.addDamage(.original, "The notification \(stored.uuid) is stored under another identifier.", changes)
        } else if !changes.isEmpty {
            try findings.add(.notification, "The columns of the notification \(stored.uuid) differ.", changes) {
                try records.update(record)
                if isUnderstood {
                    try records.removeUnknown(notification: record.uuid)
                } else {
                    try records.insert(unknown: record)
                }
            }
        }
        guard let event = verified.transaction.flatMap({ VerifiedEvent($0, verified.renewalInfo, source: record.kind) }) else {
            return findings
        }
        let purchase = event.event.transaction.originalTransactionId
        guard try !records.isStored(event) else { return findings }
        try findings.add(.event, purchase: purchase, "The signed event of the notification \(stored.uuid) is missing.") {
            // Use the notification's date of arrival, because the event arrived in the notification.
            _ = try records.insert(event, receivedAt: stored.receivedAt)
            _ = try recorder.record(event, in: records)
        }
        return findings
    }
}
