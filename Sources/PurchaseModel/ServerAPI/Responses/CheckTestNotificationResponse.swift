/// What became of a test notification.
public struct CheckTestNotificationResponse: Codable, Hashable, Sendable {
    /// The notification.
    public var signedPayload: SignedNotification
    /// At most six.
    public var sendAttempts: [SendAttempt]
    /// The result of the first one; ``sendAttempts`` took its place.
    public var firstSendAttemptResult: String?

    /// Creates an answer.
    public init(signedPayload: SignedNotification, sendAttempts: [SendAttempt], firstSendAttemptResult: String? = nil) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
        self.firstSendAttemptResult = firstSendAttemptResult
    }
}
