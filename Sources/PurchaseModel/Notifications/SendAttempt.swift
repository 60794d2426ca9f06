/// One attempt to send a notification, as the App Store's notification history has it.
public struct SendAttempt: Codable, Hashable, Sendable {
    /// When, by the store's time.
    public var attemptDate: Timestamp
    /// What came of it.
    public var sendAttemptResult: SendAttemptResult

    /// Creates an attempt.
    public init(attemptDate: Timestamp, sendAttemptResult: SendAttemptResult) {
        self.attemptDate = attemptDate
        self.sendAttemptResult = sendAttemptResult
    }
}
