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
}

/// The refused notifications of an app.
package struct RefusedNotificationsReply: Codable, Hashable, Sendable {
    /// A sample of a refused body.
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
