import Foundation
public import PurchaseModel

/// Notifications.
extension AppStoreServerAPIClient {
    /// Requests a test notification to the app's notification URL in the client's environment.
    ///
    /// A repeated call sends another notification, so the client repeats the request only if the App Store evidently did not process it.
    /// Rate limit in production: 1 request per second. Error: `serverNotificationURLNotFound`.
    ///
    /// Source: [Request a Test Notification](https://developer.apple.com/documentation/appstoreserverapi/request-a-test-notification).
    public func requestTestNotification() async throws(AppStoreServerAPIError) -> SendTestNotificationResponse {
        try await call(ServerAPIRequest(.requestTestNotification))
    }

    /// Requests the delivery status of a test notification.
    ///
    /// Rate limit in production: 1 request per second. Errors: `invalidTestNotificationToken`, and `testNotificationNotFound`, which can mean
    /// that the notification was not sent yet.
    ///
    /// Source: [Get Test Notification Status](https://developer.apple.com/documentation/appstoreserverapi/get-test-notification-status).
    public func getTestNotificationStatus(
        testNotificationToken: String
    ) async throws(AppStoreServerAPIError) -> CheckTestNotificationResponse {
        try await call(ServerAPIRequest(.testNotificationStatus, ["testNotificationToken": testNotificationToken]))
    }

    /// Requests one page of the notification history of the last 180 days, at most twenty notifications.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `startDateTooFarInPast`, `startDateAfterEndDate`,
    /// `multipleFiltersSupplied`, `paginationTokenExpired`, and an error for each invalid filter.
    ///
    /// Source: [Get Notification History](https://developer.apple.com/documentation/appstoreserverapi/get-notification-history).
    ///
    /// - Parameters:
    ///   - paginationToken: The token from the page before; nil for the first page.
    ///   - notificationHistoryRequest: The dates and the filters, which must be the same for each page.
    public func getNotificationHistory(
        paginationToken: String? = nil, notificationHistoryRequest: NotificationHistoryRequest
    ) async throws(AppStoreServerAPIError) -> NotificationHistoryResponse {
        var query = ServerAPIQuery()
        query.add("paginationToken", paginationToken)
        return try await call(ServerAPIRequest(.notificationHistory, query: query, body: notificationHistoryRequest))
    }

    /// Requests the notification history page by page.
    ///
    /// - Parameters:
    ///   - paginationToken: The token after which the pages begin; nil for the beginning.
    ///   - notificationHistoryRequest: The dates and the filters.
    public func notificationHistory(
        after paginationToken: String? = nil, notificationHistoryRequest: NotificationHistoryRequest
    ) -> ServerAPIPages<NotificationHistoryResponse> {
        ServerAPIPages(after: paginationToken, hasMore: \.hasMore, token: \.paginationToken) {
            (token) async throws(AppStoreServerAPIError) in
            try await self.getNotificationHistory(paginationToken: token, notificationHistoryRequest: notificationHistoryRequest)
        }
    }
}
