import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseProof
import Wire
import WireServer

/// Logs the deliveries of notifications, without personal data.
///
/// Anyone can send a request to the endpoint, so `LimitLog` limits the entries about refused deliveries.
struct NotificationLog: Sendable {
    /// The maximum number of log entries per minute about refused deliveries with the same app, error code and verification state.
    static let refusalsPerMinute = 20

    let limits: LimitLog

    func accepted(_ notification: NotificationReceiver.Accepted, for app: BundleID, _ logger: Logger) {
        logger.debug(
            "notification accepted",
            metadata: [
                "app": "\(app)", "uuid": "\(notification.id)", "type": "\(notification.type)", "new": "\(notification.isNew)",
            ])
        guard notification.isNew, !notification.isUnderstood,
            let suppressed = limits.count("notifications \(app) unknown", upTo: Self.refusalsPerMinute)
        else { return }
        logger.warning(
            "notification stored and not understood; update the server, and then run tillroll-server rebuild",
            metadata: [
                "app": "\(app)", "uuid": "\(notification.id)", "since-last-entry": "\(suppressed)",
                "type": "\(UnsignedNotification.isType(notification.type) ? notification.type : "")",
            ])
    }

    /// Logs a refused delivery.
    ///
    /// - Parameters:
    ///   - refusal: The reason for the refusal.
    ///   - body: The body of the request; nil if the server did not read the body.
    ///   - app: The app; nil if the path names no app of the server.
    ///   - logger: The logger of the request, which adds the identifier of the request.
    func refused(_ refusal: any WireRefusal, _ body: Data?, for app: BundleID?, _ logger: Logger) {
        let error = refusal.wireError
        let isVerified = (refusal as? NotificationRefusal)?.isOfVerifiedNotification ?? false
        // Count refusals of verified notifications separately; otherwise, forged notifications could exhaust the log limit, and the log
        // would omit the refusal of an authentic notification.
        let key = "notifications \(app?.rawValue ?? "") \(error.code) \(isVerified)"
        guard let suppressed = limits.count(key, upTo: Self.refusalsPerMinute) else { return }
        var metadata: Logger.Metadata = [
            "code": "\(error.code)", "since-last-entry": "\(suppressed)", "verified": "\(isVerified)",
        ]
        // Omit the message about an unknown app, because the message contains unchecked text from the path.
        if app != nil { metadata["reason"] = "\(error.message)" }
        metadata["app"] = app.map { "\($0)" }
        let label = body.flatMap { NotificationLabel($0) }
        metadata["version"] = label.map { "\($0.version)" }
        metadata["type"] = label?.type.map { "\($0)" }
        metadata["uuid"] = label?.uuid.map { "\($0.uuidString.lowercased())" }
        logger.info("notification refused", metadata: metadata)
    }
}

extension NotificationRefusal {
    /// Whether the signatures of the refused notification were verified.
    fileprivate var isOfVerifiedNotification: Bool {
        switch self {
        case .mismatched: true
        case .unverified, .secret, .foreignApp, .notBase64, .noEvidence, .appRequired, .unknownApp: false
        }
    }
}

/// The unverified version, type and UUID of a notification.
///
/// The type and the UUID have a fixed form, so a sender can't inject other text into the log.
struct NotificationLabel: Hashable, Sendable {
    let version: Int
    let type: String?
    /// The UUID; nil for a notification of version 1, and for an invalid UUID.
    let uuid: UUID?

    private struct Claims: Decodable {
        let notificationType: String?
        let notificationUUID: String?
    }

    /// Reads the label from a body; returns nil if the body is not a notification.
    init?(_ body: Data) {
        switch try? NotificationBody(body: body) {
        case .signed(let signed)?:
            version = 2
            guard let claims = try? WireJSON.decode(Claims.self, from: Data(UnverifiedJWS(signed.compact).payload)) else { return nil }
            type = claims.notificationType.flatMap { UnsignedNotification.isType($0) ? $0 : nil }
            uuid = claims.notificationUUID.flatMap { UUID(uuidString: $0) }
        case .unsigned(let notification)?:
            version = 1
            type = notification.type
            uuid = nil
        case nil: return nil
        }
    }
}
