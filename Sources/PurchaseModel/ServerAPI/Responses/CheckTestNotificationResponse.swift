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

    /// Decodes a response; without `sendAttempts`, the array is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        signedPayload = try container.decode(SignedNotification.self, forKey: .signedPayload)
        sendAttempts = try container.decodeIfPresent([SendAttempt].self, forKey: .sendAttempts) ?? []
        firstSendAttemptResult = try container.decodeIfPresent(String.self, forKey: .firstSendAttemptResult)
    }
}
