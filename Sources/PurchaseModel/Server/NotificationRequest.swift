/// The body that the App Store posts to a server.
public struct NotificationRequest: Codable, Hashable, Sendable {
    /// The notification as the store signed it.
    public var signedPayload: SignedNotification

    /// Creates a body.
    public init(signedPayload: SignedNotification) {
        self.signedPayload = signedPayload
    }
}
