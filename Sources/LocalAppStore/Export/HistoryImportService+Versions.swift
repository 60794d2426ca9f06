import GRDB
import PurchaseModel
import StoreProtocol

/// The version of an imported transaction, as a row of the database.
struct ImportedVersionRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "importedVersions"

    let transactionID: TransactionID
    /// The signature date of the imported version.
    var signedDate: Timestamp
    /// The number of the transaction's last change by an import; the store has changed the transaction itself if its number is larger.
    var change: Int64
}

extension HistoryImportService {
    /// Updates an imported transaction to a version that was signed later: its refund, its upgrade, and its expiration date.
    ///
    /// A transaction that the store sold, or has changed itself since the import, does not change, because the App Store does not know the
    /// change. If the store renews the subscription, its newest period changes only by a refund or the reversal of a refund.
    ///
    /// - Returns: Whether the transaction has changed.
    func update(_ known: TransactionRecord, to transaction: ImportedTransaction, at now: Timestamp, _ db: Database) throws -> Bool {
        let payload = transaction.payload
        guard var version = try ImportedVersionRecord.first("transactionID", known.id.rawValue, db),
            version.change == known.change, version.signedDate < payload.signedDate,
            known.originalID == payload.originalTransactionId, known.productID == payload.productId, known.type == transaction.type
        else { return false }
        var row = known
        if !row.hasRevocation(of: payload) { row = try updateRevocation(of: known, to: payload, at: now, db) }
        let subscription = try SubscriptionRecord.fetchOne(db, key: known.originalID.rawValue)?.subscription
        if row.period == nil || row.period != subscription?.period.number {
            row.expiresDate = payload.expiresDate?.wholeSeconds
            row.appAccountToken = payload.appAccountToken ?? row.appAccountToken
            if row.upgradedAt == nil, let date = transaction.upgradeDate {
                row.upgradedAt = date
                if let date = transaction.replacedAt { try ChargeRecord.refund(row, row.remainder(at: date), at: date, db) }
            }
        }
        let isChanged = row != known
        if isChanged { try transactions.change(&row, db) }
        (version.signedDate, version.change) = (payload.signedDate, row.change)
        try version.update(db)
        return isChanged
    }

    /// Refunds a transaction or reverses its refund, as a later version states it, and returns the changed transaction.
    private func updateRevocation(
        of known: TransactionRecord, to payload: TransactionPayload, at now: Timestamp, _ db: Database
    ) throws -> TransactionRecord {
        let isSameRefund =
            known.revokedAt != nil && payload.revocationDate != nil && known.revocationType == payload.revocationType
            && known.revocationPercentage == payload.revocationPercentage
        // The move to a bundle is no refund, so that its withdrawal reverses none.
        if known.revocationReason == PurchaseRevocationReason.upgradedToBundle.rawValue {
            var row = known
            row.setRevocation(of: payload)
            return row
        }
        if known.revokedAt != nil, !isSameRefund { try refunds.reverseRefund(of: known.id, isAlone: true, at: now, db) }
        if payload.revocationDate != nil, !isSameRefund {
            let isProrated = payload.revocationType == RevocationType.proratedRefund.rawValue
            let refund = IssueRefund(
                transactionID: known.id, reason: payload.revocationReason, percentage: isProrated ? payload.revocationPercentage : nil)
            // The history states the refund of each repeated purchase itself.
            try refunds.refund(refund, includesFree: true, isAlone: true, at: now, db)
        }
        guard var row = try TransactionRecord.find(known.id, db) else { throw StoreError.transactionUnknown }
        guard (row.revokedAt == nil) == (payload.revocationDate == nil) else { return row }
        row.setRevocation(of: payload)
        return row
    }
}

extension TransactionRecord {
    /// Copies the revocation of an imported version to the transaction.
    mutating func setRevocation(of payload: TransactionPayload) {
        revokedAt = payload.revocationDate?.wholeSeconds
        revocationReason = payload.revocationReason
        revocationType = payload.revocationType
        revocationPercentage = payload.revocationPercentage
    }

    /// Returns whether the transaction has the revocation of an imported version.
    fileprivate func hasRevocation(of payload: TransactionPayload) -> Bool {
        var other = self
        other.setRevocation(of: payload)
        return other == self
    }
}
