import Foundation
import FoundationExtras
import GRDB
import PurchaseModel

/// The service that answers requests to the App Store Server API about notifications.
struct NotificationHistoryService: Sendable {
    let context: StoreContext
    let notices: NoticeService

    /// The time for which a pagination token of the notification history is valid, in seconds of the machine's clock: one day.
    ///
    /// Apple documents no lifetime.
    static let paginationLifetime: Int64 = 86_400

    /// Returns one page of an app's notification history (Get Notification History), newest first.
    ///
    /// The history includes notifications that are signed but not yet sent, which have no send attempts.
    ///
    /// - Throws: ``ServerAPIError`` if the request or the pagination token is invalid, or the token has expired.
    func notificationHistory(_ body: Data, _ query: ServerAPIQuery, in scope: APIScope) async throws -> NotificationHistoryResponse {
        let request = try NotificationHistoryRequest(json: body, now: context.clock.now)
        let queryKey =
            "notifications \(scope.bundleID) \(scope.environment) \(String(decoding: try WireJSON.encode(request), as: UTF8.self))"
        let start = try position(in: query.values("paginationToken"), for: queryKey)
        let page = try await context.read { db in
            let account = try request.transactionId.map { try scope.accountID($0.rawValue, db) }
            return Page(try SentNotification.history(request, of: account, in: scope, before: start).fetchAll(db))
        }
        let last = page.elements.last.map { PageToken.Position(first: $0.signedDate.milliseconds, second: $0.rowid) }
        return NotificationHistoryResponse(
            notificationHistory: page.elements.map { element in
                NotificationHistoryItem(
                    signedPayload: element.signedPayload, sendAttempts: element.attempts,
                    firstSendAttemptResult: element.sendAttempts.first?.sendAttemptResult.rawValue
                )
            },
            hasMore: page.hasMore,
            paginationToken: page.hasMore ? last.map { PageToken($0, at: context.clock.systemTime).text(for: queryKey) } : nil
        )
    }

    private func position(in tokens: [String], for queryKey: String) throws(ServerAPIError) -> PageToken.Position? {
        guard let text = tokens.first, !text.isEmpty else { return nil }
        guard tokens.count == 1, let token = PageToken(text, for: queryKey) else { throw .invalidPaginationToken }
        guard context.clock.systemTime < token.date.adding(seconds: Self.paginationLifetime) else { throw .paginationTokenExpired }
        return token.position
    }

    /// Signs a test notification for the app's server, which the store sends after the response, and returns its token.
    ///
    /// - Throws: ``ServerAPIError/serverNotificationURLNotFound`` if the app has no notification URL in the environment.
    func requestTestNotification(in scope: APIScope) async throws -> SendTestNotificationResponse {
        guard scope.app.row.notificationURL(in: scope.environment) != nil else { throw ServerAPIError.serverNotificationURLNotFound }
        return try await context.transaction { db, now in
            let notification = try notices.notifyTest(in: scope.bundleID, scope.environment, at: now, db)
            return SendTestNotificationResponse(testNotificationToken: "\(notification.uuid)_\(now.milliseconds)")
        }
    }

    /// Returns the send attempts of a test notification.
    ///
    /// - Throws: ``ServerAPIError/testNotificationNotFound`` if the notification does not exist or was not sent yet.
    func testNotification(_ token: String, in scope: APIScope) async throws -> CheckTestNotificationResponse {
        let parts = token.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, IdentifierText.uuid(String(parts[0])) != nil, let date = Int64(parts[1]) else {
            throw ServerAPIError.invalidTestNotificationToken
        }
        let uuid = String(parts[0])
        let found = try await context.read { db in
            let sql = """
                SELECT rowid, * FROM notifications
                WHERE uuid = ? AND signedDate = ? AND type = 'TEST' AND bundleID = ? AND environment = ? AND version = 2
                """
            let arguments: StatementArguments = [uuid, date, scope.bundleID.rawValue, scope.environment.rawValue]
            return try SentNotification.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
        }
        guard let notification = found, let first = notification.sendAttempts.first else { throw ServerAPIError.testNotificationNotFound }
        return CheckTestNotificationResponse(
            signedPayload: notification.signedPayload, sendAttempts: notification.attempts,
            firstSendAttemptResult: first.sendAttemptResult.rawValue
        )
    }
}

extension SentNotification {
    /// Returns the database query for a page of the notification history.
    ///
    /// The query returns one more notification than the page has, so that the caller knows whether there is another page.
    fileprivate static func history(
        _ request: NotificationHistoryRequest, of account: AccountID?, in scope: APIScope, before start: PageToken.Position?
    ) -> SQLRequest<SentNotification> {
        var sql: SQL = """
            SELECT rowid, * FROM notifications
            WHERE bundleID = \(scope.bundleID.rawValue) AND environment = \(scope.environment.rawValue) AND version = 2
                AND signedDate >= \(request.startDate.milliseconds) AND signedDate < \(request.endDate.milliseconds)
            """
        if let start {
            sql += " AND signedDate <= \(start.first) AND (signedDate < \(start.first) OR rowid < \(start.second))"
        }
        if let type = request.notificationType { sql += " AND type = \(type)" }
        if let subtype = request.notificationSubtype { sql += " AND subtype = \(subtype)" }
        if let account { sql += " AND account = \(account.rawValue)" }
        if request.onlyFailures == true {
            // The responses of the server in the column have escaped quotation marks, so that they can't match.
            sql += " AND sendAttempts <> '[]' AND sendAttempts NOT LIKE '%\"sendAttemptResult\":\"SUCCESS\"%'"
        }
        return SQLRequest(literal: sql + " ORDER BY signedDate DESC, rowid DESC LIMIT \(Page<SentNotification>.size + 1)")
    }
}

/// A notification as the notification history (Get Notification History) lists it, with its send attempts.
struct SentNotification: Decodable, Sendable, FetchableRecord {
    /// The maximum number of send attempts that a response contains.
    private static let attemptLimit = 6

    var rowid: Int64
    var signedDate: Timestamp
    var signedPayload: SignedNotification
    /// All attempts to send the notification, oldest first.
    var sendAttempts: [SendAttempt]

    /// The send attempts that a response contains, oldest first.
    var attempts: [SendAttempt] { Array(sendAttempts.prefix(Self.attemptLimit)) }
}
