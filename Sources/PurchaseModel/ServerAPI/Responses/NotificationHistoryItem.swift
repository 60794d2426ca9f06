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

    /// Decodes an item; without `sendAttempts`, the array is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        signedPayload = try container.decode(SignedNotification.self, forKey: .signedPayload)
        sendAttempts = try container.decodeIfPresent([SendAttempt].self, forKey: .sendAttempts) ?? []
        firstSendAttemptResult = try container.decodeIfPresent(String.self, forKey: .firstSendAttemptResult)
    }
}
