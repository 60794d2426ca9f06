/// One attempt to send a notification, as in the App Store's notification history.
public struct SendAttempt: Codable, Hashable, Sendable {
    /// The date of the attempt, according to the store's clock.
    public var attemptDate: Timestamp
    /// The result of the attempt.
    public var sendAttemptResult: SendAttemptResult

    /// Creates an attempt.
    public init(attemptDate: Timestamp, sendAttemptResult: SendAttemptResult) {
        self.attemptDate = attemptDate
        self.sendAttemptResult = sendAttemptResult
    }
}
