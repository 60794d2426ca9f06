import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

extension NotificationRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        // The App Store sends a notification again after status 503.
        case .unverified(.indeterminate): .serviceUnavailable
        case .unverified(.refused), .mixed: .unprocessableContent
        }
    }

    var wireError: WireError {
        switch self {
        case .unverified(.indeterminate(let indeterminacy)):
            WireError(
                code: "notification.indeterminate",
                message: "The notification can't be verified now. Send it again later. \(indeterminacy.message)"
            )
        case .unverified(.refused(let refusal)):
            WireError(code: "notification.refused", message: "The notification was refused. \(refusal.message)")
        case .mixed:
            WireError(
                code: "notification.refused",
                message: "The notification was refused. Its transaction and its renewal information concern different purchases."
            )
        }
    }
}
