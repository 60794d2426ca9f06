import GRDB
import PurchaseModel

extension StoreLedger {
    /// Does what the model decided, and keeps its value.
    func perform(_ actions: [SubscriptionAction], of row: inout SubscriptionRow, at now: Timestamp, _ db: Database) throws {
        for action in actions {
            guard let newest = try TransactionRow.newestPeriod(of: row.id, db) else { throw StoreError.transactionUnknown }
            switch action {
            case .charge(let start, let end):
                try insert(try renewal(of: newest, from: start, until: end, db), at: now, db)
            case .notify(let notice):
                try notify(StoreNotice(notice), about: newest, row.subscription, at: now, db)
            }
        }
        try row.update(db)
    }

    /// The transaction of the next period: for the device of the purchase, at today's price where the product is still sold.
    private func renewal(of previous: TransactionRow, from start: Timestamp, until end: Timestamp, _ db: Database) throws -> TransactionRow
    {
        var row = previous
        row.id = TransactionID(try StoreCounter.transaction.next(db))
        row.kind = .renewal
        row.reason = "RENEWAL"
        row.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        row.purchaseDate = start
        row.expiresDate = end
        row.payment = nil
        row.finishedAt = nil
        row.revokedAt = nil
        if let price = catalogue.product(row.productID)?.price {
            row.price = price.milliunits
            row.currency = price.currency
        }
        return row
    }
}
