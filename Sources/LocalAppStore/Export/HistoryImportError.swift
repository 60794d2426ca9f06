import PurchaseModel

/// A reason for which a transaction history cannot be imported into an account.
enum HistoryImportError: Hashable, Sendable {
    /// The history has no transactions.
    case empty
    /// A JWS in the history is unreadable.
    ///
    /// `list` is the name of its list, such as `signedTransactions`, and `index` its position in the list, counted from 0.
    case malformedJWS(list: String, index: Int)
    /// A transaction has a value that an App Store transaction cannot have; `index` is its position in the history, counted from 0.
    case invalidValue(index: Int, field: String)
    /// The store does not have the app that the transaction at position `index` names.
    case appUnknown(index: Int)
    /// The history lacks the original transaction of the transaction at position `index`.
    case originalTransactionMissing(index: Int)
    /// Another account of the store has the transaction at position `index`.
    case belongsToOtherAccount(index: Int)
    /// The account already has a subscription of the subscription group in the store.
    case alreadySubscribed(group: SubscriptionGroupID)

    /// A sentence that describes the error for the sender of the history.
    var message: String {
        switch self {
        case .empty: "The transaction history is empty; send at least one signed transaction."
        case .malformedJWS(let list, let index): "\(list)[\(index)] is not a readable JWS of the App Store."
        case .invalidValue(let index, let field): "Invalid value for \(field) in signedTransactions[\(index)]."
        case .appUnknown(let index):
            "The store does not have the app of signedTransactions[\(index)]; add the app, or name another app in bundleID."
        case .originalTransactionMissing(let index):
            "The original transaction of signedTransactions[\(index)] is missing; send every page of the history."
        case .belongsToOtherAccount(let index): "The transaction in signedTransactions[\(index)] belongs to another account of this store."
        case .alreadySubscribed(let group):
            "The account already has a subscription of group \(group); import the history into another account or store."
        }
    }
}
