import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// Signs a test notification for the app's server, which the store sends after the response, and returns its token.
    ///
    /// - Throws: ``ServerAPIError/serverNotificationURLNotFound`` if the app has no notification URL in the environment.
    func requestTestNotification(in scope: APIScope) async throws -> SendTestNotificationResponse {
        guard scope.app.row.notificationURL(in: scope.environment) != nil else { throw ServerAPIError.serverNotificationURLNotFound }
        return try await write { db, now in
            let notification = try notifyTest(in: scope.bundleID, scope.environment, at: now, db)
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
        let found = try await read { db in
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
