import PurchaseModel
import PurchaseProtocol

/// Why the store of a test would not do what the test wants.
package enum InProcessRefusal: Error, Equatable {
    /// There is no such transaction.
    case transactionUnknown
    /// The account has no subscription to that product.
    case subscriptionUnknown
    /// Nothing of the kind is sold.
    case productUnknown
    /// It can't be done with that transaction now; a sentence says why.
    case unfit(String)

    /// Reads a refusal of the control API.
    init(_ error: WireError) {
        switch error.code {
        case "transaction.unknown", "approval.unknown": self = .transactionUnknown
        case "product.unknown": self = .productUnknown
        default: self = .unfit(error.message)
        }
    }
}
