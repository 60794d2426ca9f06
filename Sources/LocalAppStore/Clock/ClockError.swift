import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an advance of the store's time.
enum ClockError: StoreRefusal {
    /// The store's time cannot be set to the requested date, which is in the past or too far in the future.
    case advanceOutOfRange
    /// More events are due in the requested time interval than one advance of the store's time processes.
    case tooManyEvents

    var status: HTTPResponse.Status {
        switch self {
        case .advanceOutOfRange: .badRequest
        case .tooManyEvents: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .advanceOutOfRange:
            WireError(
                code: "clock.out-of-range",
                message: "The store's time cannot go back, advance by more than ten years, or pass \(StoreTime.range.upperBound).")
        case .tooManyEvents:
            WireError(
                code: "clock.too-many-events",
                message: "Too many events are due. The store's time advanced to the last processed event; advance it again to continue."
            )
        }
    }
}
