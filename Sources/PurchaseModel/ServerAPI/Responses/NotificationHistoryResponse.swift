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
