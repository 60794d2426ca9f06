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
    /// A version 1 notification names another app.
    case foreignApp
    /// The receipt of a version 1 notification is not base64.
    case notBase64
    /// A version 1 notification has no receipt, and no shared secret is configured, so nothing shows that it is authentic.
    case noEvidence
    /// The server has several apps, so the path must name one.
    case appRequired
    /// The server has no app with the bundle identifier in the path.
    case unknownApp(BundleID)
}

extension NotificationRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        // The App Store sends a notification again after status 503.
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
                message: "The notification can't be verified now. Send it again later. \(indeterminacy.message)"
            )
        case .unverified(.refused(let refusal)):
            WireError(code: "notification.refused", message: "The notification was refused. \(refusal.message)")
        case .secret:
            WireError(
                code: "notification.refused",
                message: "The notification was refused. Compare shared-secret of the configuration with App Store Connect."
            )
        case .foreignApp:
            WireError(code: "notification.refused", message: "The notification was refused. It concerns another app.")
        case .notBase64:
            WireError(code: "notification.refused", message: "The notification was refused. Its receipt is not base64.")
        case .noEvidence:
            WireError(
                code: "notification.refused",
                message: "The notification was refused. It has no receipt. Set shared-secret to accept notifications without one.")
        case .appRequired:
            WireError(
                code: "notification.app-required", message: "This server has several apps. Send to /v1/apps/BUNDLE-ID/notifications.")
        case .unknownApp(let app):
            WireError(code: "notification.unknown-app", message: "This server has no app \(app). Correct the URL in App Store Connect.")
        case .mismatched:
            WireError(
                code: "notification.refused",
                message: "The notification was refused. Its transaction and its renewal information concern different purchases."
            )
        }
    }
}
