/// One page of notifications.
public struct NotificationHistoryResponse: Codable, Hashable, Sendable {
    /// At most twenty, the newest first.
    public var notificationHistory: [NotificationHistoryItem]
    /// Whether there is a next page.
    public var hasMore: Bool
    /// Asks for the next page; absent after the last one.
    public var paginationToken: String?

    /// Creates an answer.
    public init(notificationHistory: [NotificationHistoryItem], hasMore: Bool, paginationToken: String? = nil) {
        self.notificationHistory = notificationHistory
        self.hasMore = hasMore
        self.paginationToken = paginationToken
    }
}
