import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an operation with notifications.
enum NotificationError: StoreRefusal {
    /// The store has no notification with the UUID.
    case unknown
    /// The store cannot trigger a notification with the requested type and subtype.
    case kindUnknown
    /// The requested notification does not apply to the product or the subscription; the associated value is a sentence with the reason.
    case triggerNotApplicable(String)
    /// The notification URL is not an http or https URL.
    case invalidURL

    var status: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .kindUnknown, .invalidURL: .badRequest
        case .triggerNotApplicable: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .unknown:
            WireError(code: "notifications.unknown", message: "The notification does not exist.")
        case .kindUnknown:
            WireError(
                code: "notifications.kind-unknown",
                message:
                    "Unknown notification type or subtype. Available: \(TriggerScenario.names.joined(separator: ", "))."
            )
        case .triggerNotApplicable(let reason):
            WireError(code: "notifications.trigger-not-applicable", message: reason)
        case .invalidURL:
            WireError(code: "notifications.invalid-url", message: "The notification URL must be an http or https URL.")
        }
    }
}
