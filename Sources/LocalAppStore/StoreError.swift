import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an operation in a local App Store, with its HTTP status, its error code and its message.
///
/// Each subject has its own errors, such as ``CheckoutError`` and ``RefundError``. ``StoreError`` has those that several subjects share.
protocol StoreRefusal: WireRefusal, Equatable, CustomStringConvertible {}

extension StoreRefusal {
    var description: String { wireError.message }
}

/// An error that operations of several subjects have in common.
enum StoreError: StoreRefusal {
    /// A parameter of the request has an invalid value.
    case invalidValue(field: String)
    /// The transaction does not exist, or it belongs to another account or app than the caller's.
    case transactionUnknown
    /// The store is still processing events, such as renewals, that were due at the date `since`.
    case behind(since: Timestamp)

    var status: HTTPResponse.Status {
        switch self {
        case .invalidValue: .badRequest
        case .transactionUnknown: .notFound
        case .behind: .serviceUnavailable
        }
    }

    var retryAfterSeconds: Int? {
        if case .behind = self { 1 } else { nil }
    }

    var wireError: WireError {
        switch self {
        case .invalidValue(let field):
            WireError(code: "request.invalid-value", message: "Invalid value for the request parameter \(field).")
        case .transactionUnknown:
            WireError(code: "transaction.unknown", message: "The transaction does not exist, or it belongs to another account or app.")
        case .behind(let due):
            WireError(
                code: "store.behind",
                message: "The store is still processing events that were due at \(due). Try again in one second.")
        }
    }
}
