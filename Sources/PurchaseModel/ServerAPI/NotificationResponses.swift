/// One page of the notification history.
public struct NotificationHistoryResponse: Codable, Hashable, Sendable {
    /// The notifications of this page, at most twenty, newest first.
    public var notificationHistory: [NotificationHistoryItem]
    /// Whether the history has more notifications after this page.
    public var hasMore: Bool
    /// The token for requesting the next page; absent on the last page.
    public var paginationToken: String?

    /// Creates a response.
    public init(notificationHistory: [NotificationHistoryItem], hasMore: Bool, paginationToken: String? = nil) {
        self.notificationHistory = notificationHistory
        self.hasMore = hasMore
        self.paginationToken = paginationToken
    }
}

/// A notification with its delivery attempts, such as one of the notification history.
public struct NotificationHistoryItem: Codable, Hashable, Sendable {
    /// The notification.
    public var signedPayload: SignedNotification
    /// The attempts to deliver the notification, at most six.
    public var sendAttempts: [SendAttempt]
    /// The result of the first delivery attempt; deprecated in favor of ``sendAttempts``.
    public var firstSendAttemptResult: String?

    /// Creates an item.
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

/// A response to a request for a test notification.
public struct SendTestNotificationResponse: Codable, Hashable, Sendable {
    /// The token for requesting the delivery status of the test notification.
    public var testNotificationToken: String

    /// Creates a response.
    public init(testNotificationToken: String) {
        self.testNotificationToken = testNotificationToken
    }
}

/// A response with the delivery status of a test notification, which has the members of an item of the notification history.
public typealias CheckTestNotificationResponse = NotificationHistoryItem
