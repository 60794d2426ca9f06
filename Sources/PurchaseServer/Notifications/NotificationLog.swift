import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseProof
import Wire
import WireServer

/// The lines of the log about deliveries of notifications, which contain no personal data.
///
/// Anyone can send to the endpoint, so `LimitLog` limits the lines about refused deliveries.
struct NotificationLog: Sendable {
    /// The maximum number of lines in a minute about refused deliveries of one app with one error code, verified or not.
    static let refusalsPerMinute = 20

    let limits: LimitLog

    /// Logs an accepted delivery.
    func accepted(_ notification: NotificationService.Accepted, for app: BundleID, _ logger: Logger) {
        logger.debug(
            "notification accepted",
            metadata: [
                "app": "\(app)", "uuid": "\(notification.id)", "type": "\(notification.type)", "new": "\(notification.isNew)",
            ])
    }

    /// Logs a refused delivery.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - body: The body; nil for a body that was not read.
    ///   - app: The app; nil for a path that names no app of the server.
    ///   - logger: The logger of the request, which adds the identifier of the request.
    func refused(_ refusal: any WireRefusal, _ body: Data?, for app: BundleID?, _ logger: Logger) {
        let error = refusal.wireError
        let isVerified = (refusal as? NotificationRefusal)?.isOfVerifiedNotification ?? false
        // Forgeries of one kind must not hide the refusal of a notification of the App Store.
        let key = "notifications \(app?.rawValue ?? "") \(error.code) \(isVerified)"
        guard let suppressed = limits.count(key, upTo: Self.refusalsPerMinute) else { return }
        var metadata: Logger.Metadata = [
            "code": "\(error.code)", "since-last-entry": "\(suppressed)", "verified": "\(isVerified)",
        ]
        // The message about an unknown app repeats what the sender wrote into the path.
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

/// What the body of a notification states about itself, which can be false.
///
/// The type and the UUID have a fixed form, so that a sender can't place anything else in the log.
struct NotificationLabel: Hashable, Sendable {
    let version: Int
    let type: String?
    /// The UUID; nil for a notification of version 1, which has none.
    let uuid: UUID?

    private struct Claims: Decodable {
        let notificationType: String?
        let notificationUUID: String?
    }

    /// Reads the label of a body; nil for a body that is not a notification.
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
