/// A response to a request for a test notification.
public struct SendTestNotificationResponse: Codable, Hashable, Sendable {
    /// The token for requesting the delivery status of the test notification.
    public var testNotificationToken: String

    /// Creates a response.
    public init(testNotificationToken: String) {
        self.testNotificationToken = testNotificationToken
    }
}
