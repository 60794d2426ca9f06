import GRDB
import PurchaseModel

/// One line of what an account paid or got back; the table holds one of each kind for a transaction.
struct ChargeRow: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "charges"

    enum Kind: String, Codable {
        case charge
        case refund
    }

    var id: Int64?
    var account: AccountID
    var transactionID: TransactionID
    var kind: Kind
    var productID: ProductID
    var date: Timestamp
    /// Thousandths of the currency's unit; negative for a refund.
    var amount: Int64
    var currency: String

    init(_ kind: Kind, of transaction: TransactionRow, at date: Timestamp) {
        self.account = transaction.account
        self.transactionID = transaction.id
        self.kind = kind
        self.productID = transaction.productID
        self.date = date
        self.amount =
            switch kind {
            case .charge: transaction.price
            case .refund: -transaction.price
            }
        self.currency = transaction.currency
    }

    /// The line as the wire has it.
    var charge: Charge {
        Charge(date: date, transaction: transactionID, productID: productID, amount: Money(milliunits: amount, currency: currency))
    }
}
