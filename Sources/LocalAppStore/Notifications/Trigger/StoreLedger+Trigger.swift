import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Simulates the purchase and the other events that lead to a notification, with dates in the past, and returns the notification.
    ///
    /// The earlier events of the simulation also cause notifications, as they would in real time.
    ///
    /// - Throws: ``StoreError/notificationKindUnknown`` if the App Store does not send the type and subtype, or
    ///   ``StoreError/triggerNotApplicable(_:)`` if the product or the account does not lead to the notification.
    func trigger(_ request: TriggerRequest) async throws -> TriggerReply {
        let subtype = request.subtype.map { NotificationSubtype(rawValue: $0) }
        guard let type = NotificationType(rawValue: request.type), subtype != .some(nil),
            let scenario = TriggerScenario(type, subtype ?? nil)
        else { throw StoreError.notificationKindUnknown }
        let notice = StoreNotice(type, subtype ?? nil)
        return try await write { db, now in
            let app = try apps.require(request.bundleID ?? apps.defaultBundleID)
            let notification = try run(scenario, notice, request, in: app, at: now, db)
            let sql = "SELECT id FROM transactions WHERE originalID = ? ORDER BY rowid DESC LIMIT 1"
            let newest = try notification.originalID.flatMap { try String.fetchOne(db, sql: sql, arguments: [$0.rawValue]) }
            return TriggerReply(
                notificationUUID: notification.uuid, account: notification.account, transactionID: newest.map { TransactionID($0) })
        }
    }

    private func run(
        _ scenario: TriggerScenario, _ notice: StoreNotice, _ request: TriggerRequest, in app: StoreApp, at now: Timestamp, _ db: Database
    ) throws -> NotificationRecord {
        let account = try request.account.map { try AccountRecord.fetchOne(db, key: $0.rawValue) } ?? nil
        let environment = account?.environment ?? .sandbox
        switch scenario {
        case .subscription(let scenario):
            let buyer = try triggerBuyer(request, app, at: now, db)
            return try run(
                scenario, notice, TriggerProducts(app, buyer.storefront, request.productID, scenario: scenario), buyer, at: now, db)
        case .purchase:
            return try latestNotification(notice, about: try sellOneTimeProduct(request, app, at: now, db), db)
        case .refundRequest:
            let row = try sellOneTimeProduct(request, app, at: now.adding(seconds: -60), db)
            _ = try requestRefund(RefundRequest(transactionID: row.id, reason: .unintendedPurchase), at: now, db)
            return try latestNotification(notice, about: row, db)
        case .refundDeclined:
            let row = try sellOneTimeProduct(request, app, at: now.adding(seconds: -120), db)
            let refundRequest = try requestRefund(RefundRequest(transactionID: row.id, reason: .other), at: now.adding(seconds: -60), db)
            try decide(refundRequest, .declined, percentage: nil, at: now, db)
            return try latestNotification(notice, about: row, db)
        case .familySharingEnds:
            return try latestNotification(notice, about: try endSharing(request, app, at: now, db), db)
        case .summary:
            var summary = NotificationSummary(bundleId: app.bundleID, environment: environment.rawValue)
            summary.requestIdentifier = UUID().uuidString.lowercased()
            summary.productId = request.productID ?? app.catalog.products.first { $0.type == .autoRenewable }?.id
            (summary.succeededCount, summary.failedCount) = (5, 1)
            return try notify(summary: summary, in: app.bundleID, environment, at: now, db)
        case .externalPurchase:
            let token = externalPurchaseToken(app, environment, at: now)
            return try post(notice, in: app.bundleID, environment, at: now, db) { .externalPurchaseToken(token) }
        case .consentRescinded:
            return try rescindConsent(notice, try triggerBuyer(request, app, at: now, db), at: now, db)
        case .test:
            return try notifyTest(in: app.bundleID, environment, at: now, db)
        }
    }

    private func externalPurchaseToken(_ app: StoreApp, _ environment: AppEnvironment, at now: Timestamp) -> ExternalPurchaseToken {
        let id = UUID().uuidString.lowercased()
        var token = ExternalPurchaseToken(
            externalPurchaseId: environment == .production ? id : "SANDBOX_\(id)", bundleId: app.bundleID)
        token.tokenCreationDate = now.adding(days: -30)
        token.appAppleId = app.row.appAppleID
        return token
    }

    private func rescindConsent(_ notice: StoreNotice, _ buyer: Buyer, at now: Timestamp, _ db: Database) throws -> NotificationRecord {
        let environment = buyer.account.environment
        var app = AppTransactionPayload(receiptType: environment.rawValue, bundleId: buyer.app.bundleID, receiptCreationDate: now)
        app.appTransactionId = buyer.appTransactionID
        app.applicationVersion = buyer.appVersion
        app.appAppleId = appAppleID(of: buyer.app.bundleID, in: environment)
        var data = NotificationAppData(bundleId: buyer.app.bundleID, environment: environment.rawValue)
        data.appAppleId = app.appAppleId
        return try post(notice, in: buyer.app.bundleID, environment, at: now, db) {
            data.signedAppTransactionInfo = try signer.sign(app)
            return .appData(data)
        }
    }

    /// Returns the newest notification with a type and subtype about a purchase.
    ///
    /// - Throws: ``StoreError/triggerNotApplicable(_:)`` if there is none.
    func latestNotification(_ notice: StoreNotice, about row: TransactionRecord, _ db: Database) throws -> NotificationRecord {
        let sql = "SELECT * FROM notifications WHERE originalID = ? AND type = ? AND subtype IS ? ORDER BY rowid DESC LIMIT 1"
        let arguments: StatementArguments = [row.originalID.rawValue, notice.type.rawValue, notice.subtype?.rawValue]
        guard let found = try NotificationRecord.fetchOne(db, sql: sql, arguments: arguments) else {
            throw StoreError.triggerNotApplicable(
                "The simulated events do not cause this notification with the store's catalog and settings.")
        }
        return found
    }
}
