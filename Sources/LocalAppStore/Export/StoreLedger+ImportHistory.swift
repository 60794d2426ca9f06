import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Imports a transaction history of the App Store into an account: products, dates, offers, refunds, and subscriptions, which continue.
    ///
    /// Transactions that the account already has do not change, so importing a history twice has no further effect. Other transactions are
    /// added. If they belong to a group in which the account has a subscription, the history is refused, because the store renews that
    /// subscription. An import sends no notifications.
    func importHistory(_ request: ImportHistoryRequest) async throws -> ImportHistoryReply {
        guard (1...200).contains(request.account.rawValue.utf8.count) else { throw StoreError.invalidValue(field: "account") }
        let history = try await ImportedHistory(request)
        return try await write { db, now in
            if try AccountRecord.fetchOne(db, key: request.account.rawValue) == nil {
                var account = AccountRecord(id: request.account, password: "secret", askToBuyEnabled: false, hasValidPaymentMethod: true)
                account.environment = history.transactions.last?.environment ?? .sandbox
                try account.insert(db)
            }
            let account = try AccountRecord.require(request.account, db)
            var reply = ImportHistoryReply(
                account: request.account, importedCount: 0, existingCount: 0, sharedCount: history.sharedCount, subscriptionCount: 0,
                verifiedCount: history.verifiedCount)
            var inserted: [TransactionRecord] = []
            var first: Set<TransactionID> = []
            for transaction in history.transactions {
                let id = transaction.payload.transactionId
                if let existing = try TransactionRecord.find(id, db) {
                    guard existing.account == request.account else {
                        throw StoreError.invalidHistory(.belongsToOtherAccount(index: transaction.index))
                    }
                    first.insert(id)
                    reply.existingCount += 1
                    continue
                }
                guard transaction.isFirst || first.contains(transaction.payload.originalTransactionId) else {
                    throw StoreError.invalidHistory(.originalTransactionMissing(index: transaction.index))
                }
                var row = try row(of: transaction, for: account, in: request.bundleID, db)
                if transaction.type == .autoRenewable {
                    row.period = try newestPeriodNumber(of: row.originalID, db) + 1
                }
                try insert(&row, at: row.purchaseDate, db)
                if let date = row.revokedAt { try ChargeRecord.refund(row, row.refunded, at: date, db) }
                first.insert(id)
                inserted.append(row)
            }
            reply.importedCount = inserted.count
            reply.subscriptionCount = try continueSubscriptions(inserted, of: history, account, db)
            let detail = "imported \(inserted.count) transactions"
            try insertEvent(EventRecord(date: now, kind: .account, account: account.id, detail: detail), db)
            return reply
        }
    }

    /// Returns the number of a subscription's newest period; 0 if the subscription has no transaction.
    private func newestPeriodNumber(of id: TransactionID, _ db: Database) throws -> Int {
        let sql = "SELECT max(period) FROM transactions WHERE originalID = ? AND period IS NOT NULL AND kind <> 'restore'"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [id.rawValue]) ?? 0
    }

    /// Creates the row for an imported transaction.
    private func row(
        of transaction: ImportedTransaction, for account: AccountRecord, in bundleID: BundleID?, _ db: Database
    ) throws -> TransactionRecord {
        let payload = transaction.payload
        guard let app = apps[bundleID ?? payload.bundleId] else { throw StoreError.invalidHistory(.appUnknown(index: transaction.index)) }
        let storefront = payload.storefront.flatMap { Storefront(countryCode: $0) } ?? account.storefront(of: app)
        let reason = payload.transactionReason == TransactionReason.renewal.rawValue ? TransactionReason.renewal : .purchase
        var row = TransactionRecord(
            id: payload.transactionId, originalID: payload.originalTransactionId, kind: reason == .renewal ? .renewal : .purchase,
            account: account.id, device: Self.importedHistoryDevice, appVersion: app.row.version, productID: payload.productId,
            type: transaction.type, quantity: payload.quantity, price: payload.price ?? 0,
            currency: payload.currency ?? storefront.currency, reason: reason.rawValue, purchaseDate: payload.purchaseDate.wholeSeconds,
            originalPurchaseDate: payload.originalPurchaseDate.wholeSeconds, bundleID: app.bundleID, environment: transaction.environment,
            storefront: storefront.countryCode, appTransactionID: try appTransactionID(of: payload, account, app, db),
            orderID: try TransactionRecord.orderID(db)
        )
        row.groupID = payload.subscriptionGroupIdentifier
        row.expiresDate = payload.expiresDate?.wholeSeconds
        row.webOrderLineItemID = payload.webOrderLineItemId
        row.appAccountToken = payload.appAccountToken
        row.finishedAt = row.purchaseDate
        row.revokedAt = payload.revocationDate?.wholeSeconds
        row.revocationReason = payload.revocationReason
        row.revocationType = payload.revocationType
        row.revocationPercentage = payload.revocationPercentage
        row.offerType = payload.offerType
        row.offerID = payload.offerIdentifier
        row.offerMode = payload.offerDiscountType
        row.offerPeriod = payload.offerPeriod
        row.upgradedAt = payload.isUpgraded == true ? payload.signedDate.wholeSeconds : nil
        return row
    }

    /// The device identifier of imported transactions, which belongs to no device.
    private static let importedHistoryDevice: DeviceID = "00000000-0000-0000-0000-000000000000"

    /// Returns the `appTransactionId` of the account in the app, which a new account takes from the imported transaction.
    ///
    /// If another account has the imported identifier, the account gets a new one.
    private func appTransactionID(of payload: TransactionPayload, _ account: AccountRecord, _ app: StoreApp, _ db: Database) throws
        -> String
    {
        if let id = payload.appTransactionId, try AppDownloadRecord.find(account.id, app.bundleID, db) == nil {
            let row = AppDownloadRecord(
                id: id, account: account.id, bundleID: app.bundleID, originalAppVersion: app.row.version,
                originalPurchaseDate: payload.originalPurchaseDate.wholeSeconds
            )
            try row.insert(db, onConflict: .ignore)
        }
        return try AppDownloadRecord.findOrCreate(account.id, app.bundleID, version: app.row.version, at: payload.originalPurchaseDate, db)
            .id
    }
}

extension TransactionRecord {
    /// The refunded amount of a revoked transaction, in thousandths of the currency's main unit.
    fileprivate var refunded: Int64 {
        guard let revocationPercentage, revocationType == RevocationType.proratedRefund.rawValue else { return price }
        return SubscriptionRevocation.prorated(revocationPercentage).amount(of: Money(milliunits: price, currency: currency)).milliunits
    }
}
