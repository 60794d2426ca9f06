package import Foundation
package import PurchaseModel
import PurchaseProof

/// The readable part of a stored signed event.
package struct StoredOriginal: Hashable, Sendable {
    /// The digest that identifies the event.
    package let digest: Data
    /// The date of the signature according to the row, which a rebuild compares with the signed data.
    package let signedDate: Timestamp
    /// The date when the server received the event.
    package let receivedAt: Timestamp
    /// The signed data; nil if a part is missing in the database.
    package let evidence: VerifiedEvent.Evidence?
    /// The digest of the receipt that contains the transaction; nil for signed transactions.
    package let receiptDigest: Data?
    /// The decoded copy of the event; nil if the copy can't be decoded.
    package let event: SignedEvent?
}

/// The readable part of a stored notification; the columns of a damaged row may differ from the signed notification.
package struct StoredNotification: Sendable {
    /// The stored value of ``ReceivedNotification/uuid``.
    package let uuid: String
    /// The stored value of ``ReceivedNotification/kind``.
    package let kind: String
    /// The stored value of ``ReceivedNotification/signedDate``.
    package let signedDate: Timestamp
    /// The date when the server received the notification.
    package let receivedAt: Timestamp
    /// The stored value of ``ReceivedNotification/hasTransaction``.
    package let hasTransaction: Bool
    /// Whether the row contains a signed notification; notifications of version 1 are unsigned.
    package let isSigned: Bool
    /// The signed notification; nil if the signed data can't be restored.
    package let signed: SignedNotification?
}

extension SQLiteSchema {
    static let rebuildTables = """
        CREATE TABLE rebuild_progress (
            app TEXT NOT NULL,
            mode TEXT NOT NULL,
            progress TEXT NOT NULL,
            PRIMARY KEY (app, mode)
        ) STRICT;
        """
}

extension PostgresSchema {
    static let rebuildTables = """
        CREATE TABLE rebuild_progress (
            app TEXT COLLATE "C" NOT NULL,
            mode TEXT COLLATE "C" NOT NULL,
            progress TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, mode)
        );
        """
}

/// Statements that read the database row by row, including damaged rows.
extension SQLTransaction {
    /// The tables in which a purchase may have rows.
    private static let purchaseTables = [
        "signed_event", "purchase", "transaction_version", "renewal_version", "purchase_period", "purchase_credit", "purchase_claim",
        "credit_decision",
    ]

    private static let purchasesAfter =
        purchaseTables.map { table in
            """
            SELECT original_transaction_id FROM (
                SELECT DISTINCT original_transaction_id FROM \(table) WHERE app = ?1 AND original_transaction_id > ?2
                ORDER BY original_transaction_id LIMIT ?3) AS \(table)_page
            """
        }.joined(separator: " UNION ") + " ORDER BY original_transaction_id LIMIT ?3"

    private static let putRebuildProgress = upsert("rebuild_progress", key: ["app", "mode"], ["progress"])

    /// Returns at most `limit` identifiers of purchases that come after an identifier, in ascending order.
    ///
    /// The result includes purchases with a row in only one table.
    package func purchaseIDs(after purchase: String, limit: Int) throws -> [TransactionID] {
        try all(Self.purchasesAfter, purchase, limit) { TransactionID(try $0["original_transaction_id"] as String) }
    }

    /// Returns the stored signed events of a purchase in the order of their arrival, including unreadable events.
    package func originals(of purchase: TransactionID) throws -> [StoredOriginal] {
        let rows = try all(
            """
            SELECT signed_event.digest AS digest, signed_date, received_at, signed_transaction, signed_renewal_info,
                signed_event.receipt AS receipt_digest, receipt.receipt AS receipt, event
            FROM signed_event LEFT JOIN receipt ON receipt.app = signed_event.app AND receipt.digest = signed_event.receipt
            WHERE signed_event.app = ?1 AND original_transaction_id = ?
            ORDER BY received_at, signed_date, signed_event.digest
            """, purchase.rawValue
        ) { row in
            (
                digest: try row["digest"] as Data, signedDate: try row["signed_date"] as Int64, receivedAt: try row["received_at"] as Int64,
                transaction: try row["signed_transaction"] as String?, renewalInfo: try row["signed_renewal_info"] as String?,
                receiptDigest: try row["receipt_digest"] as Data?, receipt: try row["receipt"] as Data?, event: try row["event"] as String
            )
        }
        return try rows.map { row in
            var evidence: VerifiedEvent.Evidence?
            if let transaction = try row.transaction.flatMap(readableCompact) {
                let renewalInfo = try row.renewalInfo.map(readableCompact)
                if renewalInfo != .some(nil) {
                    evidence = .transaction(SignedTransaction(transaction), renewalInfo.flatMap { $0 }.map { SignedRenewalInfo($0) })
                }
            } else if row.transaction == nil, let receipt = row.receipt {
                evidence = .receipt([UInt8](receipt))
            }
            return StoredOriginal(
                digest: row.digest, signedDate: Timestamp(milliseconds: row.signedDate),
                receivedAt: Timestamp(milliseconds: row.receivedAt), evidence: evidence, receiptDigest: row.receiptDigest,
                event: try? record(row.event))
        }
    }

    /// Returns a stored JWS; nil if the JWS can't be restored.
    package func readableCompact(_ stored: String) throws -> String? {
        guard let key = StoredJWS.key(in: stored) else { return stored }
        let header: String? = try first("SELECT header FROM jws_header WHERE app = ?1 AND key = ?", key) { try $0["header"] }
        return header.flatMap { StoredJWS.restore(stored, header: $0) }
    }

    /// Returns whether a signed event of a purchase is stored.
    package func isStored(event digest: Data, of purchase: TransactionID) throws -> Bool {
        try first(
            "SELECT 1 AS found FROM signed_event WHERE app = ?1 AND original_transaction_id = ? AND digest = ?", purchase.rawValue, digest
        ) { _ in true } ?? false
    }

    // MARK: Tables computed from signed events

    /// Returns the rows of a purchase in a table: the values of the columns, by the values of the key.
    package func rows(of table: RebuildTable, _ purchase: TransactionID) throws -> [[SQLValue]: [SQLValue]] {
        let names = (table.key + table.columns).map(\.name).joined(separator: ", ")
        let rows = try all("SELECT \(names) FROM \(table.name) WHERE app = ?1 AND original_transaction_id = ?", purchase.rawValue) { row in
            (try table.key.map { try value(row, $0) }, try table.columns.map { try value(row, $0) })
        }
        return Dictionary(rows) { first, _ in first }
    }

    private func value(_ row: any SQLRow, _ column: RebuildTable.Column) throws -> SQLValue {
        switch column.kind {
        case .text, .event: (try row.text(column.name)).map { .text($0) } ?? .null
        case .integer: (try row.integer(column.name)).map { .integer($0) } ?? .null
        case .boolean: (try row.boolean(column.name)).map { .boolean($0) } ?? .null
        case .bytes: (try row.bytes(column.name)).map { .bytes($0) } ?? .null
        }
    }

    /// Deletes a row of a purchase.
    package func delete(_ key: [SQLValue], from table: RebuildTable, _ purchase: TransactionID) throws {
        let conditions = (["original_transaction_id"] + table.key.map(\.name)).map { " AND \($0) = ?" }.joined()
        try connection.execute(
            "DELETE FROM \(table.name) WHERE app = ?1\(conditions)", [.text(app.rawValue), .text(purchase.rawValue)] + key)
    }

    /// Inserts or replaces a row of a purchase.
    package func put(_ key: [SQLValue], _ values: [SQLValue], in table: RebuildTable, _ purchase: TransactionID) throws {
        let statement = Self.upsert(
            table.name, key: ["app", "original_transaction_id"] + table.key.map(\.name), table.columns.map(\.name))
        try connection.execute(statement, [.text(app.rawValue), .text(purchase.rawValue)] + key + values)
    }

    /// Replaces the copies of the signed data in the row of a signed event.
    package func updateEvent(_ digest: [SQLValue], _ values: [SQLValue], of purchase: TransactionID) throws {
        let columns = RebuildTable.events.columns.enumerated().map { "\($1.name) = ?\($0 + 4)" }.joined(separator: ", ")
        try connection.execute(
            "UPDATE signed_event SET \(columns) WHERE app = ?1 AND original_transaction_id = ?2 AND digest = ?3",
            [.text(app.rawValue), .text(purchase.rawValue)] + digest + values)
    }

    // MARK: Progress

    /// Returns the stored progress of an interrupted rebuild as JSON; nil if no rebuild was interrupted.
    package func rebuildProgress(_ mode: String) throws -> String? {
        try first("SELECT progress FROM rebuild_progress WHERE app = ?1 AND mode = ?", mode) { try $0["progress"] }
    }

    /// Stores the progress of a rebuild, or removes the progress if `progress` is nil.
    package func setRebuildProgress(_ progress: String?, _ mode: String) throws {
        if let progress {
            try execute(Self.putRebuildProgress, mode, progress)
        } else {
            try execute("DELETE FROM rebuild_progress WHERE app = ?1 AND mode = ?", mode)
        }
    }

    // MARK: Notifications

    /// Returns at most `limit` notifications after an identifier, in the order of their identifiers.
    package func storedNotifications(after uuid: String, limit: Int) throws -> [StoredNotification] {
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
            StoredNotification(
                uuid: row.uuid, kind: row.kind, signedDate: Timestamp(milliseconds: row.signedDate),
                receivedAt: Timestamp(milliseconds: row.receivedAt), hasTransaction: row.hasTransaction, isSigned: row.signed != nil,
                signed: try row.signed.flatMap(readableCompact).map { SignedNotification($0) })
        }
    }

    /// Returns whether a notification is listed as one that the server does not understand.
    package func isUnknown(notification uuid: String) throws -> Bool {
        try first("SELECT uuid FROM unknown_notification WHERE app = ?1 AND uuid = ?", uuid) { _ in true } ?? false
    }

    /// Replaces the columns of a notification that follow from its signed data.
    package func update(_ record: ReceivedNotification) throws {
        try execute(
            "UPDATE notification SET kind = ?3, signed_date = ?4, has_transaction = ?5 WHERE app = ?1 AND uuid = ?2",
            record.uuid, record.kind, record.signedDate.milliseconds, record.hasTransaction)
    }
}
