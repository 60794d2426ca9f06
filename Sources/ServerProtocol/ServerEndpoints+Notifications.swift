package import Foundation
package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Accepts an App Store server notification of the server's only app.
    package static let notifications = Endpoint<NotificationRequest, Empty>(.post, "/v1/notifications")
    /// Accepts an App Store server notification of one of several apps.
    package static let appNotifications = Endpoint<NotificationRequest, Empty>(.post, "/v1/apps/{bundle}/notifications")
    /// Lists the newest refused notifications, for the operator.
    package static let refusedNotifications = Endpoint<Empty, RefusedNotificationsReply>(.get, "/v1/notifications/refused")
    /// Lists the newest stored notifications whose type, subtype or subject the server does not know, for the operator.
    package static let unknownNotifications = Endpoint<Empty, UnknownNotificationsReply>(.get, "/v1/notifications/unknown")
}

/// An app's stored notifications whose type, subtype or subject this version of the server does not know.
package struct UnknownNotificationsReply: Codable, Hashable, Sendable {
    /// A notification that this version of the server does not know.
    package struct Notification: Codable, Hashable, Sendable {
        /// The `notificationUUID`.
        package var uuid: String
        /// The type and the subtype, separated by a space.
        package var kind: String
        /// The date when the App Store signed the notification.
        package var signedDate: Timestamp
        /// The date when the server received the notification.
        package var receivedAt: Timestamp
        /// Whether the server recorded the transaction of the notification.
        package var hasTransaction: Bool
        /// The notification as the App Store sent it.
        package var signedPayload: SignedNotification?

        package init(
            uuid: String, kind: String, signedDate: Timestamp, receivedAt: Timestamp, hasTransaction: Bool,
            signedPayload: SignedNotification?
        ) {
            self.uuid = uuid
            self.kind = kind
            self.signedDate = signedDate
            self.receivedAt = receivedAt
            self.hasTransaction = hasTransaction
            self.signedPayload = signedPayload
        }
    }

    /// The maximum number of notifications in a reply.
    package static let limit = 100

    /// The notifications, newest first, at most ``limit``.
    package var notifications: [Notification]

    package init(notifications: [Notification]) {
        self.notifications = notifications
    }
}

/// The refused notifications of an app.
package struct RefusedNotificationsReply: Codable, Hashable, Sendable {
    /// The beginning of a refused request body, with the error in the response.
    package struct Sample: Codable, Hashable, Sendable {
        /// The date of the request.
        package var date: Timestamp
        /// The error code of the response, such as `notification.refused`.
        package var code: String
        /// The error message of the response.
        package var message: String
        /// The size of the body in bytes.
        package var size: Int
        /// The beginning of the body, without the shared secret.
        package var head: Data

        package init(date: Timestamp, code: String, message: String, size: Int, head: Data) {
            self.date = date
            self.code = code
            self.message = message
            self.size = size
            self.head = head
        }
    }

    /// The samples, newest first.
    package var notifications: [Sample]

    package init(notifications: [Sample]) {
        self.notifications = notifications
    }
}
