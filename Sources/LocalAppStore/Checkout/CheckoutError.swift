import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of a purchase, or of a decision about a pending payment.
enum CheckoutError: StoreRefusal {
    /// The payment identifier was used for another payment, or by another account.
    case paymentReused
    /// The store has no payment with the identifier whose approval or resolution is requested.
    case paymentUnknown
    /// The payment already has a different outcome, such as the opposite decision.
    case paymentDecided
    /// The payment was approved or its issue was resolved, but the store now refuses the purchase.
    case paymentRefused(PurchaseRefusal)

    var status: HTTPResponse.Status {
        switch self {
        case .paymentReused, .paymentDecided, .paymentRefused: .conflict
        case .paymentUnknown: .notFound
        }
    }

    var wireError: WireError {
        switch self {
        case .paymentReused:
            WireError(
                code: "payment.reused", message: "Another payment has this payment identifier; create a new identifier for each payment.")
        case .paymentUnknown:
            WireError(
                code: "approval.unknown",
                message: "The store has no payment with this identifier; list pending payments with: tillroll store approvals")
        case .paymentDecided:
            WireError(
                code: "approval.decided", message: "The payment or refund request already has a different outcome; a decision is final.")
        case .paymentRefused(let refusal):
            WireError(code: "approval.refused", message: "The store can no longer complete the payment. \(refusal.message)")
        }
    }
}
