import HTTPTypes
import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API that list, enable and disable faults (simulated failures); see `ControlEndpoints`.
struct FaultController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.faults) { _, _, context in
            try await context.services.faults.enabledFaults()
        }
        router.mount(ControlEndpoints.setFault) { body, _, context in
            try await context.services.faults.enable(body)
        }
        router.mount(ControlEndpoints.clearFaults) { _, _, context in
            try await context.services.faults.disableFaults()
            return Empty()
        }
        router.mount(ControlEndpoints.clearFault) { _, _, context in
            guard let id = Int64(try context.parameter("fault")) else { throw StoreError.invalidValue(field: "fault") }
            try await context.services.faults.disableFaults(id)
            return Empty()
        }
    }
}

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
