import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// A transaction that the store sends to a device, with the transaction that it restores and the hosted content of its product.
    struct OutgoingTransaction: Sendable {
        var row: TransactionRecord
        var original: TransactionRecord?
        var content: HostedContent?
    }

    /// Returns a transaction of a device's account and app.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the transaction does not exist or belongs to another account or app.
    func transaction(_ id: TransactionID, of session: SessionRecord, _ db: Database) throws -> TransactionRecord {
        guard let row = try TransactionRecord.find(id, db), row.isKnown(to: session) else { throw StoreError.transactionUnknown }
        return row
    }

    /// Returns the row number of the last transaction on the previous page; 0 if `paginationToken` is nil, for the first page.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` if `paginationToken` names no transaction that `isIncluded` accepts.
    func position(of paginationToken: String?, _ db: Database, where isIncluded: (TransactionRecord) -> Bool) throws -> Int64 {
        guard let paginationToken else { return 0 }
        let sql = "SELECT rowid FROM transactions WHERE id = ?"
        guard let row = try TransactionRecord.find(TransactionID(paginationToken), db), isIncluded(row),
            let position = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [paginationToken])
        else { throw StoreError.invalidValue(field: "paginationToken") }
        return position
    }

    /// Adds the transactions that they restore and their products' hosted content to transactions of an app.
    ///
    /// The method makes two queries, whatever the number of transactions.
    func withOriginals(_ rows: [TransactionRecord], in bundleID: BundleID, _ db: Database) throws -> [OutgoingTransaction] {
        let contents = try contents(in: bundleID, db)
        let ids = rows.compactMap { $0.restores?.rawValue }
        let originals = ids.isEmpty ? [] : try TransactionRecord.filter(ids.contains(Column("id"))).fetchAll(db)
        let byID = Dictionary(originals.map { ($0.id, $0) }) { first, _ in first }
        return rows.map { OutgoingTransaction(row: $0, original: $0.restores.flatMap { byID[$0] }, content: contents[$0.productID]) }
    }

    /// Returns a transaction as the device API sends it: signed for the device of the session.
    func unfinishedTransaction(_ outgoing: OutgoingTransaction, for session: SessionRecord) throws -> UnfinishedTransaction {
        let now = clock.now
        return UnfinishedTransaction(
            // Only the device that made the payment has use for the payment's identifier.
            payment: outgoing.row.device == session.device ? outgoing.row.payment : nil,
            signedTransaction: try signer.sign(outgoing.row, for: session.device, at: now),
            restoredFrom: try outgoing.original.map { try signer.sign($0, for: session.device, at: now) },
            content: outgoing.content
        )
    }
}

extension TransactionRecord {
    /// Returns whether the transaction belongs to the account and the app of a device's sign-in.
    func isKnown(to session: SessionRecord) -> Bool {
        account == session.account && bundleID == session.bundleID
    }
}
