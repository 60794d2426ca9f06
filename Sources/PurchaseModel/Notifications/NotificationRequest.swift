/// The body of an App Store server notification, version 2.
package struct NotificationRequest: Codable, Hashable, Sendable {
    /// The notification as a JWS from the App Store.
    package var signedPayload: SignedNotification

    /// Creates a body with a notification.
    package init(signedPayload: SignedNotification) {
        self.signedPayload = signedPayload
    }
}
