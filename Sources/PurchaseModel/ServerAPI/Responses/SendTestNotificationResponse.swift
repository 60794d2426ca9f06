/// That a test notification will be sent.
public struct SendTestNotificationResponse: Codable, Hashable, Sendable {
    /// Asks what became of it.
    public var testNotificationToken: String

    /// Creates an answer.
    public init(testNotificationToken: String) {
        self.testNotificationToken = testNotificationToken
    }
}
