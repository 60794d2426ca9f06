import PurchaseModel

/// Why a customer's past cannot be taken in.
enum HistoryRefusal: Hashable, Sendable {
    /// There is nothing in it.
    case empty
    /// A statement cannot be read; it is counted from 0.
    case unreadable(list: String, index: Int)
    /// A transaction says something that no store says.
    case unusable(index: Int, field: String)
    /// The store does not sell for the app that a transaction names.
    case foreignApp(index: Int)
    /// The first transaction of a purchase is missing.
    case firstMissing(index: Int)
    /// Another account has this transaction.
    case taken(index: Int)
    /// The account has a subscription of that group here.
    case subscribed(group: SubscriptionGroupID)

    /// A sentence for whoever sent it.
    var sentence: String {
        switch self {
        case .empty: "There are no transactions in it."
        case .unreadable(let list, let index): "\(list)[\(index)] is no signed statement that can be read."
        case .unusable(let index, let field): "The \(field) of signedTransactions[\(index)] cannot be used."
        case .foreignApp(let index):
            "This store does not sell for the app of signedTransactions[\(index)]; add the app, or say in bundleID which one it is to be in."
        case .firstMissing(let index): "The first transaction of the purchase of signedTransactions[\(index)] is missing; send every page."
        case .taken(let index): "Another account has the transaction of signedTransactions[\(index)]."
        case .subscribed(let group): "The account has a subscription of group \(group) here; take the past into another account or store."
        }
    }
}
