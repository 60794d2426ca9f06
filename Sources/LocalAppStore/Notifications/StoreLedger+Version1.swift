import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// Returns the JSON body of a version 1 notification; nil if version 1 has no notification for the event.
    func version1Body(
        _ notice: StoreNotice, about row: TransactionRecord, _ subscription: SubscriptionRecord?, of app: StoreApp, at now: Timestamp,
        _ db: Database
    ) throws -> String? {
        guard let type = NotificationV1Type(notice.type, notice.subtype, isSubscription: subscription != nil) else { return nil }
        let rows = try receiptTransactions(of: row.account, row.bundleID, db)
        let receipt = try signer.sign(receiptContent(rows, app, row.environment, row.device, row.appVersion, at: now))
        // The database does not yet contain the changed state of `subscription`, so `subscription` replaces the stored state.
        let subscriptions = try SubscriptionRecord.all(of: row.account, in: row.bundleID, db).map { known in
            subscription.flatMap { $0.id == known.id ? $0 : nil } ?? known
        }
        var notification = NotificationV1(
            type,
            environment: row.environment,
            password: app.row.sharedSecret,
            bundleID: row.bundleID,
            bundleVersion: row.appVersion,
            originalTransactionID: row.originalID,
            unifiedReceipt: UnifiedReceipt(
                environment: row.environment,
                latestReceipt: receipt.base64EncodedString(),
                latestReceiptInfo: rows.suffix(UnifiedReceipt.limit).reversed().map { VerifyReceiptPurchase($0, inReceipt: false) },
                pendingRenewalInfo: subscriptions.map { VerifyReceiptRenewal(renewalInfo($0, environment: row.environment, at: now)) }
            )
        )
        if let subscription = subscription?.subscription {
            notification.autoRenewProductID = subscription.nextPlan.productID
            notification.autoRenewStatus = subscription.willAutoRenew ? "true" : "false"
            notification.expirationIntent = subscription.expirationIntent.map { String($0.rawValue) }
            notification.autoRenewStatusChangeDate = type == .didChangeRenewalStatus ? DateTriplet(now.wholeSeconds) : nil
        }
        return String(decoding: try WireJSON.encode(notification), as: UTF8.self)
    }
}
