import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
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
        let request = try NotificationHistoryRequest(json: body, now: clock.now)
        let queryKey =
            "notifications \(scope.bundleID) \(scope.environment) \(String(decoding: try WireJSON.encode(request), as: UTF8.self))"
        let start = try position(in: query.values("paginationToken"), for: queryKey)
        let page = try await read { db in
            let account = try request.transactionId.map { try accountID($0.rawValue, in: scope, db) }
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
            paginationToken: page.hasMore ? last.map { PageToken($0, at: clock.systemTime).text(for: queryKey) } : nil
        )
    }

    private func position(in tokens: [String], for queryKey: String) throws(ServerAPIError) -> PageToken.Position? {
        guard let text = tokens.first, !text.isEmpty else { return nil }
        guard tokens.count == 1, let token = PageToken(text, for: queryKey) else { throw .invalidPaginationToken }
        guard clock.systemTime < token.date.adding(seconds: Self.paginationLifetime) else { throw .paginationTokenExpired }
        return token.position
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
            sql += " AND sendAttempts <> '[]' AND sendAttempts NOT LIKE '%\"SUCCESS\"%'"
        }
        return SQLRequest(literal: sql + " ORDER BY signedDate DESC, rowid DESC LIMIT \(Page<SentNotification>.size + 1)")
    }
}
