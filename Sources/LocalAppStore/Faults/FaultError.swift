import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an operation with faults (simulated failures).
enum FaultError: StoreRefusal {
    /// The store already has the maximum number of enabled faults (simulated failures).
    case tooMany

    var status: HTTPResponse.Status { .conflict }

    var wireError: WireError {
        switch self {
        case .tooMany:
            WireError(
                code: "faults.too-many",
                message: "The maximum of \(FaultService.faultLimit) faults is enabled; disable faults with: tillroll store fault clear")
        }
    }
}
