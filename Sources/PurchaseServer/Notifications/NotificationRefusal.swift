import HTTPTypes
import PurchaseModel
import PurchaseProof
import Wire
import WireServer

/// The reason why the server refuses a notification.
enum NotificationRefusal: Error, Equatable {
    /// The verification of the notification, or of a JWS in it, failed.
    case unverified(VerificationFailure)
    /// The transaction and the renewal info in the notification have different values of `originalTransactionId`.
    case mismatched
    /// A version 1 notification does not contain the configured shared secret.
    case secret
    /// A version 1 notification belongs to another app.
    case foreignApp
    /// The receipt of a version 1 notification is not base64.
    case notBase64
    /// A version 1 notification without a receipt can't be authenticated for an app without a shared secret.
    case noEvidence
    /// The server has several apps, and the path names none of them.
    case appRequired
    /// The server has no app with the bundle identifier in the path.
    case unknownApp(BundleID)
}

extension NotificationRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        // Respond with status 503, after which the App Store sends the notification again.
        case .unverified(.indeterminate): .serviceUnavailable
        case .unverified(.refused), .mismatched, .secret, .foreignApp, .notBase64, .noEvidence: .unprocessableContent
        case .appRequired, .unknownApp: .notFound
        }
    }

    var wireError: WireError {
        switch self {
        case .unverified(.indeterminate(let indeterminacy)):
            WireError(
                code: "notification.indeterminate",
                message: "The notification can't be verified now. Send the notification again later. \(indeterminacy.message)"
            )
        case .unverified(.refused(let refusal)):
            WireError(code: "notification.refused", message: "The notification was refused. \(refusal.message)")
        case .secret:
            WireError(
                code: "notification.refused",
                message: "The password of the notification is not the app's shared secret. Compare shared-secret with App Store Connect."
            )
        case .foreignApp:
            WireError(
                code: "notification.refused", message: "The notification belongs to another app. Correct the URL in App Store Connect.")
        case .notBase64:
            WireError(code: "notification.refused", message: "The receipt in the notification is not valid base64.")
        case .noEvidence:
            WireError(
                code: "notification.refused",
                message: "The notification has no receipt. To accept notifications without a receipt, set shared-secret.")
        case .appRequired:
            WireError(
                code: "notification.app-required",
                message: "The server has several apps. Send notifications to /v1/apps/BUNDLE-ID/notifications.")
        case .unknownApp(let app):
            WireError(code: "notification.unknown-app", message: "This server has no app \(app). Correct the URL in App Store Connect.")
        case .mismatched:
            WireError(
                code: "notification.refused",
                message: "The transaction and the renewal info of the notification belong to different purchases."
            )
        }
    }
}
