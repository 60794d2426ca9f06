/// A response with the delivery status of a test notification.
public struct CheckTestNotificationResponse: Codable, Hashable, Sendable {
    /// The test notification.
    public var signedPayload: SignedNotification
    /// The attempts to deliver the notification, at most six.
    public var sendAttempts: [SendAttempt]
    /// The result of the first delivery attempt; deprecated in favor of ``sendAttempts``.
    public var firstSendAttemptResult: String?

    /// Creates a response.
    public init(signedPayload: SignedNotification, sendAttempts: [SendAttempt], firstSendAttemptResult: String? = nil) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
        self.firstSendAttemptResult = firstSendAttemptResult
    }
}
