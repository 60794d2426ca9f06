import PurchaseModel
import PurchaseProtocol

/// The template values of one transaction.
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
