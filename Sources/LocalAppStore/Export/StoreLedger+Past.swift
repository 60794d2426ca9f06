import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Imports a customer's transaction history into an account: the same products, dates, offers and refunds, and the continuing
    /// subscriptions.
    ///
    /// An existing transaction does not change, so importing a history twice has no further effect. A history with additional
    /// transactions adds
    /// them, except to a subscription that continues in this store: such a history is refused, because the subscription has renewed here
    /// on its
    /// own. An import causes no notification.
    func take(_ request: HistoryRequest) async throws -> HistoryReply {
        guard (1...200).contains(request.account.rawValue.utf8.count) else { throw StoreError.unusable(field: "account") }
        let past = try await ImportedHistory(request)
        return try await write { db, now in
            if try AccountRecord.fetchOne(db, key: request.account.rawValue) == nil {
                var account = AccountRecord(id: request.account, password: "secret", asksToBuy: false, cardWorks: true)
                account.environment = past.transactions.last?.environment ?? .sandbox
                try account.insert(db)
            }
            let account = try AccountRecord.require(request.account, db)
            var reply = HistoryReply(
                account: request.account, transactions: 0, known: 0, shared: past.shared, subscriptions: 0, genuine: past.genuine)
            var written: [TransactionRecord] = []
            var first: Set<TransactionID> = []
            for transaction in past.transactions {
                let id = transaction.payload.transactionId
                if let known = try TransactionRecord.find(id, db) {
                    guard known.account == request.account else { throw StoreError.historyUnusable(.taken(index: transaction.index)) }
                    first.insert(id)
                    reply.known += 1
                    continue
                }
                guard transaction.isFirst || first.contains(transaction.payload.originalTransactionId) else {
                    throw StoreError.historyUnusable(.firstMissing(index: transaction.index))
                }
                var row = try row(of: transaction, for: account, in: request.bundleID, db)
                if transaction.type == .autoRenewable {
                    row.period = try newestNumber(of: row.originalID, db) + 1
                }
                try insert(&row, at: row.purchaseDate, db)
                if let date = row.revokedAt { try ChargeRecord.refund(row, row.refunded, at: date, db) }
                first.insert(id)
                written.append(row)
            }
            reply.transactions = written.count
            reply.subscriptions = try goOn(written, of: past, account, db)
            let detail = "took in \(written.count) transactions of a past"
            try record(EventRecord(date: now, kind: .account, account: account.id, detail: detail), db)
            return reply
        }
    }

    /// The number of a subscription's newest known period; 0 if there is none.
    private func newestNumber(of id: TransactionID, _ db: Database) throws -> Int {
        let sql = "SELECT max(period) FROM transactions WHERE originalID = ? AND period IS NOT NULL AND kind <> 'restore'"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [id.rawValue]) ?? 0
    }

    /// The store's record of an imported transaction.
    private func row(
        of transaction: ImportedTransaction, for account: AccountRecord, in bundleID: BundleID?, _ db: Database
    ) throws -> TransactionRecord {
        let payload = transaction.payload
        guard let app = apps[bundleID ?? payload.bundleId] else { throw StoreError.historyUnusable(.foreignApp(index: transaction.index)) }
        let storefront = payload.storefront.flatMap { Storefront(countryCode: $0) } ?? account.storefront(of: app)
        let reason = payload.transactionReason == TransactionReason.renewal.rawValue ? TransactionReason.renewal : .purchase
        var row = TransactionRecord(
            id: payload.transactionId, originalID: payload.originalTransactionId, kind: reason == .renewal ? .renewal : .purchase,
            account: account.id, device: Self.pastDevice, appVersion: app.row.version, productID: payload.productId,
            type: transaction.type, quantity: payload.quantity, price: payload.price ?? 0,
            currency: payload.currency ?? storefront.currency, reason: reason.rawValue, purchaseDate: payload.purchaseDate.wholeSeconds,
            originalPurchaseDate: payload.originalPurchaseDate.wholeSeconds, bundleID: app.bundleID, environment: transaction.environment,
            storefront: storefront.countryCode, customer: try customer(of: payload, account, app, db),
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

    /// The device of imported purchases.
    private static let pastDevice: DeviceID = "00000000-0000-0000-0000-000000000000"

    /// The `appTransactionId` from the history, unless another account in this store has the same identifier.
    private func customer(of payload: TransactionPayload, _ account: AccountRecord, _ app: StoreApp, _ db: Database) throws -> String {
        if let id = payload.appTransactionId, try AppDownloadRecord.find(account.id, app.bundleID, db) == nil {
            let row = AppDownloadRecord(
                id: id, account: account.id, bundleID: app.bundleID, originalAppVersion: app.row.version,
                originalPurchaseDate: payload.originalPurchaseDate.wholeSeconds
            )
            try row.insert(db, onConflict: .ignore)
        }
        return try AppDownloadRecord.obtain(account.id, app.bundleID, version: app.row.version, at: payload.originalPurchaseDate, db).id
    }
}

extension TransactionRecord {
    /// The refunded amount.
    fileprivate var refunded: Int64 {
        guard let revocationPercentage, revocationType == RevocationType.proratedRefund.rawValue else { return price }
        return SubscriptionRevocation.part(revocationPercentage).amount(of: Money(milliunits: price, currency: currency)).milliunits
    }
}
