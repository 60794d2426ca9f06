/// A notification of the notification history, with its delivery attempts.
public struct NotificationHistoryItem: Codable, Hashable, Sendable {
    /// The notification.
    public var signedPayload: SignedNotification
    /// The attempts to deliver the notification, at most six.
    public var sendAttempts: [SendAttempt]
    /// The result of the first delivery attempt; deprecated in favor of ``sendAttempts``.
    public var firstSendAttemptResult: String?

    /// Creates an item of the notification history.
    public init(signedPayload: SignedNotification, sendAttempts: [SendAttempt], firstSendAttemptResult: String? = nil) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
        self.firstSendAttemptResult = firstSendAttemptResult
    }
}
