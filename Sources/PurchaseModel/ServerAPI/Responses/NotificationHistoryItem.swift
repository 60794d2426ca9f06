/// One notification, and what became of it.
public struct NotificationHistoryItem: Codable, Hashable, Sendable {
    /// The notification.
    public var signedPayload: SignedNotification
    /// At most six.
    public var sendAttempts: [SendAttempt]
    /// The result of the first one; ``sendAttempts`` took its place.
    public var firstSendAttemptResult: String?

    /// Creates an element.
    public init(signedPayload: SignedNotification, sendAttempts: [SendAttempt], firstSendAttemptResult: String? = nil) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
        self.firstSendAttemptResult = firstSendAttemptResult
    }
}
