import PurchaseModel

/// The reason for which a transaction history cannot be imported.
enum HistoryRefusal: Hashable, Sendable {
    /// The history is empty.
    case empty
    /// A signed transaction or signed renewal info is unreadable; `index` counts from 0.
    case unreadable(list: String, index: Int)
    /// A transaction has a value that no App Store transaction has.
    case unusable(index: Int, field: String)
    /// The store does not have the app that a transaction names.
    case foreignApp(index: Int)
    /// The original transaction of a purchase is missing.
    case firstMissing(index: Int)
    /// Another account has this transaction.
    case taken(index: Int)
    /// The account already has a subscription of that group in this store.
    case subscribed(group: SubscriptionGroupID)

    /// A sentence for the sender of the history.
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
