import GRDB
import PurchaseModel

extension StoreLedger {
    /// A transaction on its way to a device: with the one that it restores, and with what the store hosts for its product.
    struct Parcel: Sendable {
        var row: TransactionRow
        var original: TransactionRow?
        var content: HostedContent?
    }

    /// A transaction of the caller's, or ``StoreError/transactionUnknown``.
    func transaction(_ id: TransactionID, of session: SessionRow, _ db: Database) throws -> TransactionRow {
        guard let row = try TransactionRow.find(id, db), row.isKnown(to: session) else { throw StoreError.transactionUnknown }
        return row
    }

    /// The place in the table behind the transaction that a page ended with; 0 for the first page.
    ///
    /// - Throws: ``StoreError/unusable(field:)`` for what no page ended with.
    func place(of cursor: String?, _ db: Database, where isPossible: (TransactionRow) -> Bool) throws -> Int64 {
        guard let cursor else { return 0 }
        let sql = "SELECT rowid FROM transactions WHERE id = ?"
        guard let row = try TransactionRow.find(TransactionID(cursor), db), isPossible(row),
            let place = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [cursor])
        else { throw StoreError.unusable(field: "after") }
        return place
    }

    /// Transactions of an app with all that goes with them: two questions, however many they are.
    func withOriginals(_ rows: [TransactionRow], in bundleID: BundleID, _ db: Database) throws -> [Parcel] {
        let contents = try contents(in: bundleID, db)
        let ids = rows.compactMap { $0.restores?.rawValue }
        let originals = ids.isEmpty ? [] : try TransactionRow.filter(ids.contains(Column("id"))).fetchAll(db)
        let byID = Dictionary(originals.map { ($0.id, $0) }) { first, _ in first }
        return rows.map { Parcel(row: $0, original: $0.restores.flatMap { byID[$0] }, content: contents[$0.productID]) }
    }

    /// A transaction as a device gets it.
    func hand(_ parcel: Parcel, to session: SessionRow) throws -> UnfinishedTransaction {
        let now = clock.now
        return UnfinishedTransaction(
            // Another device's payment is nothing that this one knows.
            payment: parcel.row.device == session.device ? parcel.row.payment : nil,
            transaction: try signer.sign(parcel.row, for: session.device, at: now),
            restoredFrom: try parcel.original.map { try signer.sign($0, for: session.device, at: now) },
            content: parcel.content
        )
    }
}

extension TransactionRow {
    /// Whether it is one of the account's in the app.
    func isKnown(to session: SessionRow) -> Bool {
        account == session.account && bundleID == session.bundleID
    }
}
