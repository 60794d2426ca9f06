import Foundation
import PurchaseModel
import PurchaseProof

/// Verifies stored notifications again, and compares their columns and events with their signed data.
struct NotificationRebuild: Sendable {
    let app: BundleID
    let verifier: OriginalVerifier
    let recorder: PurchaseRecorder
    let storage: any PurchaseStorage

    /// The readable part of a stored notification.
    struct Stored: Sendable {
        let uuid: String
        let kind: String
        let signedDate: Timestamp
        let receivedAt: Timestamp
        let hasTransaction: Bool
        /// Whether the row contains a signed notification; notifications of version 1 are unsigned.
        let isSigned: Bool
        /// The signed notification; nil if it can't be restored.
        let signed: SignedNotification?
    }

    /// Compares a notification, and repairs the differences if the rebuild writes.
    ///
    /// - Returns: The differences.
    func compare(_ stored: Stored, isWriting: Bool) async throws -> RebuildFindings {
        var findings = RebuildFindings(app: app, isWriting: false)
        guard stored.isSigned else { return findings }
        guard let signed = stored.signed else {
            findings.addDamage(.original, "The header of the notification \(stored.uuid) is missing in the database.")
            return findings
        }
        let verified: VerifiedNotification
        do {
            verified = try await verifier.signedData.verify(signed)
        } catch {
            findings.addDamage(
                .original, "The notification \(stored.uuid) is damaged, or can't be verified: \(error.defect.message)",
                isUntrusted: error.defect.isUntrusted)
            return findings
        }
        let differences = try await storage.read(app) { try compare(stored, verified, in: $0.sql(), isWriting: false) }
        guard isWriting, !differences.differences.isEmpty else { return differences }
        return try await storage.write(app) { try compare(stored, verified, in: $0.sql(), isWriting: true) }
    }

    private func compare(
        _ stored: Stored, _ verified: VerifiedNotification, in records: SQLTransaction, isWriting: Bool
    ) throws -> RebuildFindings {
        var findings = RebuildFindings(app: app, isWriting: isWriting)
        let record = NotificationRecord(verified, receivedAt: stored.receivedAt)
        let values = [
            ("uuid", stored.uuid, record.uuid), ("kind", stored.kind, record.kind),
            ("signedDate", "\(stored.signedDate)", "\(record.signedDate)"),
            ("hasTransaction", "\(stored.hasTransaction)", "\(record.hasTransaction)"),
        ]
        let changes = values.filter { $0.1 != $0.2 }.map { RebuildDifference.Change($0.0, stored: $0.1, recomputed: $0.2) }
        if stored.uuid != record.uuid {
            findings.addDamage(.original, "The notification \(stored.uuid) is stored under another identifier.", changes)
        } else if !changes.isEmpty {
            try findings.add(.notification, "The columns of the notification \(stored.uuid) differ.", changes) {
                try records.update(record)
            }
        }
        guard let event = verified.transaction.flatMap({ VerifiedEvent($0, verified.renewalInfo, source: record.kind) }) else {
            return findings
        }
        let purchase = event.event.transaction.originalTransactionId
        guard try !records.isStored(event: SQLTransaction.identity(of: event), of: purchase) else { return findings }
        try findings.add(.event, purchase: purchase, "The signed event of the notification \(stored.uuid) is missing.") {
            // The event takes its date of arrival from the notification.
            _ = try records.insert(event, receivedAt: stored.receivedAt)
            _ = try recorder.record(event, in: records)
        }
        return findings
    }
}

extension StorageTransaction {
    /// Returns the transaction of a SQL database.
    ///
    /// - Throws: ``RebuildError/unsupportedStorage`` for a storage of another package.
    func sql() throws -> SQLTransaction {
        guard let records = self as? SQLTransaction else { throw RebuildError.unsupportedStorage }
        return records
    }
}

extension SQLTransaction {
    /// Returns at most `limit` notifications after an identifier, in the order of their identifiers.
    func storedNotifications(after uuid: String, limit: Int) throws -> [NotificationRebuild.Stored] {
        let rows = try all(
            """
            SELECT uuid, kind, signed_date, received_at, has_transaction, signed_notification FROM notification
            WHERE app = ?1 AND uuid > ? ORDER BY uuid LIMIT ?
            """, uuid, limit
        ) { row in
            (
                uuid: try row["uuid"] as String, kind: try row["kind"] as String, signedDate: try row["signed_date"] as Int64,
                receivedAt: try row["received_at"] as Int64, hasTransaction: try row["has_transaction"] as Bool,
                signed: try row["signed_notification"] as String?
            )
        }
        return try rows.map { row in
            NotificationRebuild.Stored(
                uuid: row.uuid, kind: row.kind, signedDate: Timestamp(milliseconds: row.signedDate),
                receivedAt: Timestamp(milliseconds: row.receivedAt), hasTransaction: row.hasTransaction, isSigned: row.signed != nil,
                signed: try row.signed.flatMap(readableCompact).map { SignedNotification($0) })
        }
    }

    fileprivate func update(_ record: NotificationRecord) throws {
        try execute(
            "UPDATE notification SET kind = ?3, signed_date = ?4, has_transaction = ?5 WHERE app = ?1 AND uuid = ?2", record.uuid,
            record.kind, record.signedDate.milliseconds, record.hasTransaction)
    }
}
