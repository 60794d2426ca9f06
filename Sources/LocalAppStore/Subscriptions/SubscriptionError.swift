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
    /// The subscription cannot move into a bundle.
    case bundleRefused
    /// The subscription is not in a bundle.
    case noBundle
    /// The subscription does not plan to leave its bundle.
    case staysInBundle

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
        case .bundleRefused:
            WireError(
                code: "subscription.not-bundled",
                message: """
                    The subscription cannot move into a bundle. The subscription must be active, and must have no bundle, no commitment, no \
                    seats, no pending product or offer, and no renewal that was charged ahead.
                    """)
        case .noBundle:
            WireError(
                code: "subscription.no-bundle",
                message: """
                    The subscription is not active in a bundle. Move it into a bundle first: tillroll store bundle join PRODUCT --account \
                    ACCOUNT
                    """)
        case .staysInBundle:
            WireError(
                code: "subscription.no-departure", message: "The subscription has no plan to leave a bundle, which `stay` could cancel.")
        case .extensionRefused(let refusal):
            WireError(
                code: "subscription.not-extended", message: "The subscription's renewal date cannot be extended (reason: \(refusal)).")
        }
    }
}
