import PurchaseModel
import PurchaseProtocol

/// The reason for which a test's store refuses an action.
package enum InProcessError: Error, Equatable {
    /// The transaction does not exist.
    case transactionUnknown
    /// The account has no subscription to that product.
    case subscriptionUnknown
    /// The store does not sell the product.
    case productUnknown
    /// The action is not possible for the transaction in its state; the associated value is a sentence with the reason.
    case invalidState(String)

    /// Converts an error of the control API.
    init(_ error: WireError) {
        switch error.code {
        case "transaction.unknown", "approval.unknown": self = .transactionUnknown
        case "product.unknown": self = .productUnknown
        default: self = .invalidState(error.message)
        }
    }
}
