import GRDB
import PurchaseModel

extension StoreLedger {
    /// Continues the newest imported subscription of each subscription group, and returns the number of subscriptions that continue.
    ///
    /// A subscription whose product is not in the app's catalog does not continue; its transactions are only part of the history.
    ///
    /// - Parameter rows: The newly imported transactions, oldest first.
    /// - Throws: ``StoreError/invalidHistory(_:)`` if the account already has a subscription of a group in the store.
    func continueSubscriptions(
        _ rows: [TransactionRecord], of history: ImportedHistory, _ account: AccountRecord, _ db: Database
    ) throws -> Int {
        var groups: [BundleID: [SubscriptionGroupID: [TransactionRecord]]] = [:]
        for row in rows where row.type == .autoRenewable {
            if let group = row.groupID { groups[row.bundleID, default: [:]][group, default: []].append(row) }
        }
        var count = 0
        for (bundleID, groups) in groups.sorted(by: { $0.key < $1.key }) {
            for (group, rows) in groups.sorted(by: { $0.key < $1.key }) {
                guard try SubscriptionRecord.existing(account.id, bundleID, group, db) == nil else {
                    throw StoreError.invalidHistory(.alreadySubscribed(group: group))
                }
                guard let app = apps[bundleID], var subscription = try subscription(rows, history, account, app, db) else { continue }
                subscription.appAccountToken = subscription.appAccountToken ?? rows.last?.appAccountToken
                subscription.appTransactionID = rows.last?.appTransactionID
                try SubscriptionRecord(account: account.id, bundleID: bundleID, groupID: group, subscription: subscription).insert(db)
                count += 1
            }
        }
        return count
    }

    /// Returns the subscription that continues after the imported transactions of one subscription group.
    ///
    /// The result is nil if the catalog does not have the product.
    private func subscription(
        _ rows: [TransactionRecord], _ history: ImportedHistory, _ account: AccountRecord, _ app: StoreApp, _ db: Database
    ) throws -> Subscription? {
        guard let newest = rows.last, let end = newest.expiresDate, let reason = TransactionReason(rawValue: newest.reason) else {
            return nil
        }
        let storefront = account.storefront(of: app)
        guard let plan = app.catalog.plan(newest.productID, in: storefront) else { return nil }
        let ownPeriods = rows.filter { $0.originalID == newest.originalID }
        let newestSignedDate = history.transactions.filter { $0.payload.originalTransactionId == newest.originalID }.map(
            \.payload.signedDate
        ).max()
        let info = history.renewalInfos[newest.originalID]
        var subscriptionHistory = SubscriptionHistory(
            originalTransactionID: newest.originalID, plan: plan, periods: newest.period ?? ownPeriods.count,
            price: Money(milliunits: newest.price, currency: newest.currency), reason: reason, start: newest.purchaseDate, end: end,
            firstStart: ownPeriods.first?.purchaseDate ?? newest.purchaseDate,
            signedDate: max(newestSignedDate ?? end, info?.signedDate ?? .distantPast)
        )
        subscriptionHistory.isRevoked = newest.revokedAt != nil
        subscriptionHistory.renewalInfo = info
        subscriptionHistory.hasUsedIntroductoryOffer = rows.contains { $0.offerType == OfferType.introductory.rawValue }
        subscriptionHistory.offer = app.catalog.offers(of: newest.productID, in: storefront).first {
            $0.kind.rawValue == newest.offerType && $0.id == newest.offerID
        }
        subscriptionHistory.offerPeriod =
            ownPeriods.reversed().prefix { $0.offerType == newest.offerType && $0.offerID == newest.offerID }.count
        if let next = info?.autoRenewProductId, next != newest.productID {
            subscriptionHistory.pendingPlan = app.catalog.plan(next, in: storefront)
        }
        return Subscription(continuing: subscriptionHistory, rules: try rules(for: newest.environment, db))
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: 0)
}
