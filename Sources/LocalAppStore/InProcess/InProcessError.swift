import PurchaseModel
import Wire

/// A reason for which the store of a test session refuses an action.
package enum InProcessError: Error, Equatable {
    /// The store has no transaction and no pending payment with the requested number.
    case transactionUnknown
    /// The account has no subscription to the product.
    case subscriptionUnknown
    /// The store does not sell the product.
    case productUnknown
    /// The action is not possible in the current state; the associated value is a sentence with the reason.
    case invalidState(String)

    /// Creates the error that corresponds to an error of the control API.
    init(_ error: WireError) {
        switch error.code {
        case "transaction.unknown", "approval.unknown": self = .transactionUnknown
        case "product.unknown": self = .productUnknown
        default: self = .invalidState(error.message)
        }
    }
}
