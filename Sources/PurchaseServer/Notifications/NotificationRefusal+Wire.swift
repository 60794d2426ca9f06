import HTTPTypes
import PurchaseModel
import PurchaseProof
import WireServer

extension NotificationRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        // The sender tries again, and by then it may be known.
        case .unverified(.unknown): .serviceUnavailable
        case .unverified(.refused), .mixed: .unprocessableContent
        }
    }

    var wireError: WireError {
        switch self {
        case .unverified(.unknown(let doubt)):
            WireError(code: "notification.unknown", message: "The notification can't be judged now; send it again later. \(doubt.sentence)")
        case .unverified(.refused(let refusal)):
            WireError(code: "notification.refused", message: "The notification was refused. \(refusal.sentence)")
        case .mixed:
            WireError(
                code: "notification.refused",
                message: "The notification was refused. Its transaction and its renewal information are about different purchases."
            )
        }
    }
}
