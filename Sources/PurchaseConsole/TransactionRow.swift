import PurchaseModel
import PurchaseProtocol

/// A transaction in the words of the template.
struct TransactionRow: Sendable {
    let moment: PageMoment
    let product: String
    let quantity: Int
    let owner: String
    let id: String
    let state: String

    init(_ transaction: BackofficeTransaction) {
        moment = PageMoment(transaction.date)
        product = transaction.productID.rawValue
        quantity = transaction.quantity
        owner = transaction.owner
        id = transaction.id.rawValue
        state = transaction.state
    }
}
