import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// A transaction for a device, with the transaction that it restores and with the hosted content of its product.
    struct OutgoingTransaction: Sendable {
        var row: TransactionRecord
        var original: TransactionRecord?
        var content: HostedContent?
    }

    /// A transaction of the caller, or ``StoreError/transactionUnknown``.
    func transaction(_ id: TransactionID, of session: SessionRecord, _ db: Database) throws -> TransactionRecord {
        guard let row = try TransactionRecord.find(id, db), row.isKnown(to: session) else { throw StoreError.transactionUnknown }
        return row
    }

    /// The row number of the transaction that ended the previous page; 0 for the first page.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` if no page ends with the token's transaction.
    func position(of paginationToken: String?, _ db: Database, where isIncluded: (TransactionRecord) -> Bool) throws -> Int64 {
        guard let paginationToken else { return 0 }
        let sql = "SELECT rowid FROM transactions WHERE id = ?"
        guard let row = try TransactionRecord.find(TransactionID(paginationToken), db), isIncluded(row),
            let position = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [paginationToken])
        else { throw StoreError.invalidValue(field: "paginationToken") }
        return position
    }

    /// Adds the restored transactions and the hosted content to an app's transactions, with two queries for any number of transactions.
    func withOriginals(_ rows: [TransactionRecord], in bundleID: BundleID, _ db: Database) throws -> [OutgoingTransaction] {
        let contents = try contents(in: bundleID, db)
        let ids = rows.compactMap { $0.restores?.rawValue }
        let originals = ids.isEmpty ? [] : try TransactionRecord.filter(ids.contains(Column("id"))).fetchAll(db)
        let byID = Dictionary(originals.map { ($0.id, $0) }) { first, _ in first }
        return rows.map { OutgoingTransaction(row: $0, original: $0.restores.flatMap { byID[$0] }, content: contents[$0.productID]) }
    }

    /// A transaction in the device API's format.
    func unfinishedTransaction(_ outgoing: OutgoingTransaction, for session: SessionRecord) throws -> UnfinishedTransaction {
        let now = clock.now
        return UnfinishedTransaction(
            // Only the device that made a payment knows the payment's identifier.
            payment: outgoing.row.device == session.device ? outgoing.row.payment : nil,
            signedTransaction: try signer.sign(outgoing.row, for: session.device, at: now),
            restoredFrom: try outgoing.original.map { try signer.sign($0, for: session.device, at: now) },
            content: outgoing.content
        )
    }
}

extension TransactionRecord {
    /// Whether the transaction belongs to the session's account and app.
    func isKnown(to session: SessionRecord) -> Bool {
        account == session.account && bundleID == session.bundleID
    }
}
