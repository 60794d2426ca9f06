import HTTPTypes
import PurchaseModel
import WireServer

extension NotificationRefusal: WireRefusal {
    var status: HTTPResponse.Status { .unprocessableContent }

    var wireError: WireError {
        switch self {
        case .unverified(let error):
            WireError(code: "notification.refused", message: "The notification was refused. \(error.sentence)")
        case .mixed:
            WireError(
                code: "notification.refused",
                message: "The notification was refused. Its transaction and its renewal information are about different purchases."
            )
        }
    }
}
