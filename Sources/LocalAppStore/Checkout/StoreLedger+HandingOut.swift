import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// A transaction on its way to a device: with the one that it restores, and with what the store hosts for its product.
    struct OutgoingTransaction: Sendable {
        var row: TransactionRecord
        var original: TransactionRecord?
        var content: HostedContent?
    }

    /// A transaction of the caller's, or ``StoreError/transactionUnknown``.
    func transaction(_ id: TransactionID, of session: SessionRecord, _ db: Database) throws -> TransactionRecord {
        guard let row = try TransactionRecord.find(id, db), row.isKnown(to: session) else { throw StoreError.transactionUnknown }
        return row
    }

    /// The place in the table behind the transaction that a page ended with; 0 for the first page.
    ///
    /// - Throws: ``StoreError/unusable(field:)`` for what no page ended with.
    func place(of cursor: String?, _ db: Database, where isPossible: (TransactionRecord) -> Bool) throws -> Int64 {
        guard let cursor else { return 0 }
        let sql = "SELECT rowid FROM transactions WHERE id = ?"
        guard let row = try TransactionRecord.find(TransactionID(cursor), db), isPossible(row),
            let place = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [cursor])
        else { throw StoreError.unusable(field: "after") }
        return place
    }

    /// Transactions of an app with all that goes with them: two questions, however many they are.
    func withOriginals(_ rows: [TransactionRecord], in bundleID: BundleID, _ db: Database) throws -> [OutgoingTransaction] {
        let contents = try contents(in: bundleID, db)
        let ids = rows.compactMap { $0.restores?.rawValue }
        let originals = ids.isEmpty ? [] : try TransactionRecord.filter(ids.contains(Column("id"))).fetchAll(db)
        let byID = Dictionary(originals.map { ($0.id, $0) }) { first, _ in first }
        return rows.map { OutgoingTransaction(row: $0, original: $0.restores.flatMap { byID[$0] }, content: contents[$0.productID]) }
    }

    /// A transaction as a device gets it.
    func hand(_ outgoing: OutgoingTransaction, to session: SessionRecord) throws -> UnfinishedTransaction {
        let now = clock.now
        return UnfinishedTransaction(
            // Another device's payment is nothing that this one knows.
            payment: outgoing.row.device == session.device ? outgoing.row.payment : nil,
            transaction: try signer.sign(outgoing.row, for: session.device, at: now),
            restoredFrom: try outgoing.original.map { try signer.sign($0, for: session.device, at: now) },
            content: outgoing.content
        )
    }
}

extension TransactionRecord {
    /// Whether it is one of the account's in the app.
    func isKnown(to session: SessionRecord) -> Bool {
        account == session.account && bundleID == session.bundleID
    }
}
