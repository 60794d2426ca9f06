import Crypto
package import Foundation
import FoundationExtras
package import PurchaseModel
import PurchaseProof

extension SQLTransaction {
    private static let putRenewalVersion = upsert(
        "renewal_version", key: ["app", "original_transaction_id"],
        ["digest", "event"])

    private static let putTransactionVersion = upsert(
        "transaction_version", key: ["app", "original_transaction_id", "transaction_id"],
        [
            "purchase_date", "paid_until", "app_account_token", "period", "signed_date", "source", "charge", "is_revoked", "was_revoked",
            "revoked_percentage", "digest", "event",
        ])

    /// The columns of a stored event.
    private struct Row {
        let digest: Data
        let json: String
        let signedTransaction: String?
        let signedRenewalInfo: String?
        let receipt: Data?
    }

    package func insert(_ verified: VerifiedEvent, receivedAt: Timestamp) throws -> Bool {
        let event = verified.event
        let row = try row(of: verified, as: identity(known: verified))
        guard try changes(Self.insertEvent, arguments(of: row, event, receivedAt)) > 0 else { return false }
        if let digest = row.receipt { try putReceipt(verified, digest) }
        let purchase = event.transaction.originalTransactionId
        try putPeriod(of: event.transaction)
        try putVersion(of: event, row, replacing: storedVersion(of: event.transaction))
        guard event.renewal != nil else { return true }
        let newest: (digest: Data, event: SignedEvent)? = try newestRenewal(of: purchase).map { ($0.digest, try record($0.event)) }
        if newest.map({ $0.event.hasOlderRenewal(than: event) || !event.hasOlderRenewal(than: $0.event) && $0.digest.isBefore(row.digest) })
            ?? true
        {
            try putRenewal(row, of: purchase)
        }
        return true
    }

    package func insertFirst(_ verified: VerifiedEvent, receivedAt: Timestamp) throws {
        let event = verified.event
        let row = try row(of: verified, as: Self.identity(of: verified))
        try execute(Self.insertEvent, arguments(of: row, event, receivedAt))
        if let digest = row.receipt { try putReceipt(verified, digest) }
        try putPeriod(of: event.transaction)
        try putVersion(of: event, row, replacing: nil)
        if event.renewal != nil { try putRenewal(row, of: event.transaction.originalTransactionId) }
    }

    private func row(of verified: VerifiedEvent, as digest: Data) throws -> Row {
        let event = verified.event
        switch verified.evidence {
        case .transaction(let transaction, let renewalInfo):
            let (jws, renewalJWS) = (StoredJWS(transaction.compact), renewalInfo.flatMap { StoredJWS($0.compact) })
            return Row(
                digest: digest, json: try Self.json(event, jws?.payload, renewalJWS?.payload) ?? json(event),
                signedTransaction: try stored(transaction.compact, jws),
                signedRenewalInfo: try renewalInfo.map { try stored($0.compact, renewalJWS) }, receipt: nil)
        case .receipt(let bytes):
            return Row(
                digest: digest, json: try json(event), signedTransaction: nil, signedRenewalInfo: nil,
                receipt: Data(SHA256.hash(data: bytes)))
        }
    }

    private static let insertEvent = """
        INSERT INTO signed_event
            (app, original_transaction_id, digest, signed_date, received_at, signed_transaction, signed_renewal_info, receipt, event)
        VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (app, original_transaction_id, digest) DO UPDATE SET signed_date = excluded.signed_date, signed_transaction = excluded.signed_transaction,
            receipt = excluded.receipt, event = excluded.event
        WHERE excluded.signed_date > signed_event.signed_date AND excluded.signed_renewal_info IS NULL
        """

    private func arguments(of row: Row, _ event: SignedEvent, _ receivedAt: Timestamp) -> [(any SQLConvertible)?] {
        [
            event.transaction.originalTransactionId.rawValue, row.digest, event.signedDate.milliseconds, receivedAt.milliseconds,
            row.signedTransaction, row.signedRenewalInfo, row.receipt, row.json,
        ]
    }

    private func putReceipt(_ verified: VerifiedEvent, _ digest: Data) throws {
        guard case .receipt(let bytes) = verified.evidence else { return }
        // Store a receipt once for all of its purchases, so that the server sends the large value to the database once.
        let isStored = try first("SELECT digest FROM receipt WHERE app = ?1 AND digest = ?", digest) { _ in true } ?? false
        guard !isStored else { return }
        try execute("INSERT INTO receipt (app, digest, receipt) VALUES (?1, ?, ?) ON CONFLICT DO NOTHING", digest, Data(bytes))
    }

    /// Returns an event as JSON, composed of the signed payloads, which is faster than encoding; nil for an event that must be encoded.
    private static func json(_ event: SignedEvent, _ transaction: String?, _ renewal: String?) -> String? {
        let isPlain = event.source.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard isPlain, let transaction, (event.renewal == nil) == (renewal == nil) else { return nil }
        let renewal = renewal.map { ",\"renewal\":\($0)" } ?? ""
        return "{\"source\":\"\(event.source)\",\"transaction\":\(transaction)\(renewal)}"
    }

    /// Returns the digest that identifies an event of a purchase.
    package static func identity(of verified: VerifiedEvent) throws -> Data {
        try identity(of: verified, verified.event.transaction.facts)
    }

    /// Returns the digests by which any version of the server identifies an event of a purchase, the current version's digest first.
    package static func identities(of verified: VerifiedEvent) throws -> [Data] {
        let transaction = verified.event.transaction
        return try [transaction.facts, transaction.earlierFacts].compactMap { try $0.map { try identity(of: verified, $0) } }
    }

    /// Returns whether an event is stored, by this version of the server or by an earlier one.
    package func isStored(_ verified: VerifiedEvent) throws -> Bool {
        try isStored(event: identity(known: verified), of: verified.event.transaction.originalTransactionId)
    }

    /// Returns the digest of an event: the one with which an earlier version of the server stored the event, or the current version's.
    ///
    /// The earlier digest is also that of an earlier version of the same transaction, such as one from before the customer added seats, so
    /// that the stored event must have the same facts.
    private func identity(known verified: VerifiedEvent) throws -> Data {
        let current = try Self.identity(of: verified)
        guard verified.event.transaction.earlierFacts != nil, let earlier = try Self.identities(of: verified).last else { return current }
        let purchase = verified.event.transaction.originalTransactionId
        let stored: String? = try first(
            "SELECT event FROM signed_event WHERE app = ?1 AND original_transaction_id = ? AND digest = ?", purchase.rawValue, earlier
        ) { try $0["event"] }
        guard let stored else { return current }
        let event: SignedEvent = try record(stored)
        return event.transaction.facts == verified.event.transaction.facts ? earlier : current
    }

    private static func identity(of verified: VerifiedEvent, _ facts: TransactionPayload) throws -> Data {
        // Separate the parts with line breaks, which JWS, identifiers and sources never contain, so that different events have different
        // texts.
        var text = "\(verified.event.source)\n"
        if case .transaction(let transaction, let renewalInfo?) = verified.evidence {
            text += "\(transaction.compact)\n\(renewalInfo.compact)"
        } else {
            text += String(decoding: try WireJSON.encode(facts), as: UTF8.self)
        }
        return Data(SHA256.hash(data: Data(text.utf8)))
    }

    private func putPeriod(of transaction: TransactionPayload) throws {
        try execute(
            """
            INSERT INTO purchase_period (app, original_transaction_id, period, start) VALUES (?1, ?, ?, ?)
            ON CONFLICT (app, original_transaction_id, period) DO UPDATE SET start = excluded.start WHERE excluded.start < purchase_period.start
            """, transaction.originalTransactionId.rawValue, transaction.periodID, transaction.periodStart.milliseconds)
    }

    private func putRenewal(_ row: Row, of purchase: TransactionID) throws {
        try execute(Self.putRenewalVersion, purchase.rawValue, row.digest, row.json)
    }

    private struct StoredVersion {
        let event: SignedEvent
        let digest: Data
        let wasRevoked: Bool
        let token: String?
    }

    private func storedVersion(of transaction: TransactionPayload) throws -> StoredVersion? {
        try first(
            """
            SELECT event, digest, was_revoked, app_account_token FROM transaction_version
            WHERE app = ?1 AND original_transaction_id = ? AND transaction_id = ?
            """, transaction.originalTransactionId.rawValue, transaction.transactionId.rawValue
        ) { row in
            StoredVersion(
                event: try record(try row["event"]), digest: try row["digest"], wasRevoked: try row["was_revoked"],
                token: try row["app_account_token"])
        }
    }

    /// Replaces the newest version of the event's transaction, unless the event is older.
    ///
    /// If `SignedEvent` orders neither of two events before the other, the method stores the event with the greater digest, so that the
    /// order of arrival has no effect.
    private func putVersion(of event: SignedEvent, _ row: Row, replacing stored: StoredVersion?) throws {
        let transaction = event.transaction
        let (purchase, id) = (transaction.originalTransactionId.rawValue, transaction.transactionId.rawValue)
        let wasRevoked = transaction.isRevoked || stored?.wasRevoked == true
        if let stored, !stored.event.hasOlderTransaction(than: event),
            event.hasOlderTransaction(than: stored.event) || !stored.digest.isBefore(row.digest)
        {
            let token = stored.token ?? transaction.appAccountToken?.rawValue
            guard wasRevoked != stored.wasRevoked || token != stored.token else { return }
            try execute(
                """
                UPDATE transaction_version SET was_revoked = ?4, app_account_token = ?5
                WHERE app = ?1 AND original_transaction_id = ?2 AND transaction_id = ?3
                """, purchase, id, wasRevoked, token)
            return
        }
        try execute(
            Self.putTransactionVersion, purchase, id, transaction.purchaseDate.milliseconds, transaction.paidUntil.milliseconds,
            // Retain the token of an earlier version, because a receipt states no token.
            transaction.appAccountToken?.rawValue ?? stored?.token, transaction.periodID,
            transaction.signedDate.milliseconds,
            event.source, CreditRule.charge(of: transaction), transaction.isRevoked, wasRevoked,
            transaction.revokedPercentage, row.digest, row.json)
    }
}

extension Data {
    /// Returns whether the digest precedes another digest of the same length, byte by byte.
    fileprivate func isBefore(_ other: Data) -> Bool { lexicographicallyPrecedes(other) }
}
