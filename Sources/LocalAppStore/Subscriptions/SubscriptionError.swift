import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

/// An error of a change of a subscription.
enum SubscriptionError: StoreRefusal {
    /// The store refuses the change of a subscription to another product.
    case changeRefused(PurchaseRefusal)
    /// The renewal date of the subscription cannot be extended.
    case extensionRefused(ExtensionRefusal)

    var status: HTTPResponse.Status { .conflict }

    var wireError: WireError {
        switch self {
        case .changeRefused(let refusal):
            WireError(code: "subscription.not-changed", message: refusal.message)
        case .extensionRefused(let refusal):
            WireError(
                code: "subscription.not-extended", message: "The subscription's renewal date cannot be extended (reason: \(refusal)).")
        }
    }
}
