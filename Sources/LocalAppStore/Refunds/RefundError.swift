import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of a refund or of a refund request.
enum RefundError: StoreRefusal {
    /// The transaction has no charge to refund, because it is restored, free or already refunded.
    case notCharged
    /// The refund of the transaction cannot be reversed, because the transaction is not refunded.
    case notRefunded
    /// A refund request for the transaction is pending, or the transaction is already refunded.
    case alreadyRequested
    /// The refund request does not exist.
    case requestUnknown
    /// The refund request already has the opposite decision.
    case requestDecided

    var status: HTTPResponse.Status {
        switch self {
        case .notCharged, .notRefunded, .alreadyRequested, .requestDecided: .conflict
        case .requestUnknown: .notFound
        }
    }

    var wireError: WireError {
        switch self {
        case .notCharged:
            WireError(
                code: "refund.not-charged",
                message:
                    "The transaction has no charge to refund: it is restored, free or already refunded. Refund the charged transaction.")
        case .notRefunded:
            WireError(code: "refund.not-refunded", message: "The refund cannot be reversed, because the transaction is not refunded.")
        case .alreadyRequested:
            WireError(code: "refund-request.duplicate", message: "A refund was already requested or approved for this transaction.")
        case .requestUnknown:
            WireError(
                code: "refund-request.unknown",
                message: "The refund request does not exist; list refund requests with: tillroll store refund-requests")
        case .requestDecided:
            WireError(
                code: "approval.decided", message: "The payment or refund request already has a different outcome; a decision is final.")
        }
    }
}
