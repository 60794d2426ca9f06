import PurchaseModel
import ServerProtocol

/// The values of a transaction that the page's template shows in a row.
struct TransactionRow: Sendable {
    let time: PageTimestamp
    let product: String
    let quantity: Int
    let owner: String
    let id: String
    let state: String

    init(_ transaction: BackofficeTransaction) {
        time = PageTimestamp(transaction.date)
        product = transaction.productID.rawValue
        quantity = transaction.quantity
        owner = transaction.owner
        id = transaction.id.rawValue
        state = transaction.state
    }
}
