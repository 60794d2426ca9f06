import PurchaseModel

/// The reason for which a transaction history cannot be imported.
enum HistoryImportError: Hashable, Sendable {
    /// The history is empty.
    case empty
    /// A signed transaction or signed renewal info is unreadable; `index` counts from 0.
    case malformedJWS(list: String, index: Int)
    /// A transaction has a value that no App Store transaction has.
    case invalidValue(index: Int, field: String)
    /// The store does not have the app that a transaction names.
    case appUnknown(index: Int)
    /// The original transaction of a purchase is missing.
    case originalTransactionMissing(index: Int)
    /// Another account has this transaction.
    case belongsToOtherAccount(index: Int)
    /// The account already has a subscription of that group in this store.
    case alreadySubscribed(group: SubscriptionGroupID)

    /// A sentence for the sender of the history.
    var message: String {
        switch self {
        case .empty: "The history has no transactions."
        case .malformedJWS(let list, let index): "\(list)[\(index)] is not a readable JWS."
        case .invalidValue(let index, let field): "Invalid value for \(field) in signedTransactions[\(index)]."
        case .appUnknown(let index):
            "The store does not have the app of signedTransactions[\(index)]; add the app, or name another app in bundleID."
        case .originalTransactionMissing(let index):
            "The original transaction of signedTransactions[\(index)] is missing; send every page of the history."
        case .belongsToOtherAccount(let index): "The transaction in signedTransactions[\(index)] belongs to another account."
        case .alreadySubscribed(let group):
            "The account already has a subscription of group \(group); import the history into another account or store."
        }
    }
}
