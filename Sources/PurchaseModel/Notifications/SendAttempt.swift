/// One attempt to send a notification, as in the App Store's notification history.
public struct SendAttempt: Codable, Hashable, Sendable {
    /// The date of the attempt, according to the store's clock.
    public var attemptDate: Timestamp
    /// The text of the result, such as `SUCCESS`.
    ///
    /// The App Store can send a result that is unknown to ``SendAttemptResult``.
    public var rawSendAttemptResult: String

    private enum CodingKeys: String, CodingKey {
        case attemptDate
        case rawSendAttemptResult = "sendAttemptResult"
    }

    /// Creates an attempt.
    public init(attemptDate: Timestamp, sendAttemptResult: SendAttemptResult) {
        self.attemptDate = attemptDate
        rawSendAttemptResult = sendAttemptResult.rawValue
    }

    /// The result of the attempt; `other` for an unknown result.
    public var sendAttemptResult: SendAttemptResult {
        // The earlier name of the result.
        if rawSendAttemptResult == "SSL_ISSUE" { return .tlsIssue }
        return SendAttemptResult(rawValue: rawSendAttemptResult) ?? .other
    }
}
