import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of a change of a subscription.
enum SubscriptionError: StoreRefusal {
    /// The store refuses the change of a subscription to another product.
    case changeRefused(PurchaseRefusal)
    /// The renewal date of the subscription cannot be extended.
    case extensionRefused(ExtensionRefusal)
    /// The next renewal cannot be charged ahead.
    case chargeAheadRefused

    var status: HTTPResponse.Status { .conflict }

    var wireError: WireError {
        switch self {
        case .changeRefused(let refusal):
            WireError(code: "subscription.not-changed", message: refusal.message)
        case .chargeAheadRefused:
            WireError(
                code: "subscription.not-charged-ahead",
                message: """
                    The next renewal cannot be charged ahead. The subscription must be active with auto-renew and without a price increase \
                    that waits for consent, the payment method must be valid, and the period must end within 24 hours. Advance the time with: \
                    tillroll store advance SPAN
                    """)
        case .extensionRefused(let refusal):
            WireError(
                code: "subscription.not-extended", message: "The subscription's renewal date cannot be extended (reason: \(refusal)).")
        }
    }
}
