import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that imports transaction histories of the App Store into accounts.
struct HistoryImportService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    /// The refunds of later versions, which cause no notifications.
    let refunds: RefundService
    let events: EventService

    /// Imports a transaction history of the App Store into an account: products, dates, offers, refunds, and subscriptions, which continue.
    ///
    /// A transaction that an earlier import added changes if the history has a version that was signed later, so importing a history twice
    /// has no further effect. Other transactions that the account already has do not change. All others are added, each as its newest signed
    /// version states it. If they belong to a group in which the account has a subscription, the history is refused, because the store
    /// renews that subscription. An import sends no notifications.
    func importHistory(_ request: ImportHistoryRequest) async throws -> ImportHistoryReply {
        guard (1...200).contains(request.account.rawValue.utf8.count) else { throw StoreError.invalidValue(field: "account") }
        let history = try await ImportedHistory(request)
        return try await context.transaction { db, now in
            if try AccountRecord.fetchOne(db, key: request.account.rawValue) == nil {
                var account = AccountRecord(id: request.account, password: "secret", askToBuyEnabled: false, hasValidPaymentMethod: true)
                account.environment = history.transactions.last?.environment ?? .sandbox
                try account.insert(db)
            }
            let account = try AccountRecord.require(request.account, db)
            var reply = ImportHistoryReply(
                account: request.account, importedCount: 0, existingCount: 0, updatedCount: 0, sharedCount: history.sharedCount,
                subscriptionCount: 0, verifiedCount: history.verifiedCount)
            var inserted: [TransactionRecord] = []
            var first: Set<TransactionID> = []
            for transaction in history.transactions {
                let id = transaction.payload.transactionId
                if let existing = try TransactionRecord.find(id, db) {
                    guard existing.account == request.account else {
                        throw ImportError.invalidHistory(.belongsToOtherAccount(index: transaction.index))
                    }
                    first.insert(id)
                    reply.existingCount += 1
                    if try update(existing, to: transaction, at: now, db) { reply.updatedCount += 1 }
                    continue
                }
                guard transaction.isFirst || first.contains(transaction.payload.originalTransactionId) else {
                    throw ImportError.invalidHistory(.originalTransactionMissing(index: transaction.index))
                }
                var row = try row(of: transaction, for: account, in: request.bundleID, db)
                if transaction.type == .autoRenewable {
                    row.additionTo = try period(extendedBy: transaction.payload, db)?.id
                    if row.additionTo == nil { row.period = try newestPeriodNumber(of: row.originalID, db) + 1 }
                }
                // A renewal that an upgrade replaced before its period began was charged before the upgrade.
                try transactions.insert(&row, at: min(row.purchaseDate, transaction.replacedAt ?? row.purchaseDate), db)
                try ImportedVersionRecord(transactionID: id, signedDate: transaction.payload.signedDate, change: row.change).insert(db)
                if let date = row.revokedAt { try ChargeRecord.refund(row, row.refunded, at: date, db) }
                if row.revokedAt == nil, row.multiSeatInfo?.revokedSeatQuantity != nil {
                    // The App Store does not state the date of a refund of some seats.
                    let refunded = row.price - row.price(ofLast: row.remainingSeats)
                    try ChargeRecord.refund(row, refunded, at: transaction.payload.signedDate, db)
                }
                if let date = transaction.replacedAt { try ChargeRecord.refund(row, row.remainder(at: date), at: date, db) }
                first.insert(id)
                inserted.append(row)
            }
            reply.importedCount = inserted.count
            reply.subscriptionCount = try continueSubscriptions(inserted, of: history, account, db)
            let updates = reply.updatedCount > 0 ? ", updated \(reply.updatedCount)" : ""
            let detail = "imported \(inserted.count) transactions\(updates)"
            try events.insertEvent(EventRecord(date: now, kind: .account, account: account.id, detail: detail), db)
            return reply
        }
    }

    /// Returns the number of a subscription's newest period; 0 if the subscription has no transaction.
    private func newestPeriodNumber(of id: TransactionID, _ db: Database) throws -> Int {
        let sql = "SELECT max(period) FROM transactions WHERE originalID = ? AND period IS NOT NULL AND kind <> 'restore'"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [id.rawValue]) ?? 0
    }

    /// Returns the first transaction of the subscription period to which an imported transaction adds seats; nil for another transaction.
    private func period(extendedBy payload: TransactionPayload, _ db: Database) throws -> TransactionRecord? {
        guard payload.additionalTransactionReason != nil, payload.reason != .renewal,
            let newest = try TransactionRecord.newestPeriod(of: payload.originalTransactionId, db), newest.productID == payload.productId,
            let end = newest.expiresDate, newest.purchaseDate <= payload.purchaseDate, payload.purchaseDate < end
        else { return nil }
        return newest
    }

    /// Creates the row for an imported transaction.
    private func row(
        of transaction: ImportedTransaction, for account: AccountRecord, in bundleID: BundleID?, _ db: Database
    ) throws -> TransactionRecord {
        let payload = transaction.payload
        guard let app = context.apps[bundleID ?? payload.bundleId] else {
            throw ImportError.invalidHistory(.appUnknown(index: transaction.index))
        }
        let storefront = payload.storefront.flatMap { Storefront(countryCode: $0) } ?? account.storefront(of: app)
        let reason = payload.transactionReason == TransactionReason.renewal.rawValue ? TransactionReason.renewal : .purchase
        var row = TransactionRecord(
            id: payload.transactionId, originalID: payload.originalTransactionId, kind: reason == .renewal ? .renewal : .purchase,
            account: account.id, device: Self.importedHistoryDevice, appVersion: app.row.version, productID: payload.productId,
            type: transaction.type, quantity: payload.quantity, price: payload.total ?? 0,
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
        row.setRevocation(of: payload)
        row.offerType = payload.offerType
        row.offerID = payload.offerIdentifier
        row.offerMode = payload.offerDiscountType
        row.offerPeriod = payload.offerPeriod
        row.billingPlan = payload.billingPlanType
        row.commitment = payload.commitmentInfo
        row.multiSeatInfo = payload.multiSeatInfo
        row.additionalTransactionReason = payload.additionalTransactionReason
        row.bundle = TransactionBundle(payload)
        row.upgradedAt = transaction.upgradeDate
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

    /// Continues the newest imported subscription of each subscription group, and returns the number of subscriptions that continue.
    ///
    /// A subscription whose product is not in the app's catalog does not continue; its transactions are only part of the history.
    ///
    /// - Parameter rows: The newly imported transactions, oldest first.
    /// - Throws: ``ImportError/invalidHistory(_:)`` if the account already has a subscription of a group in the store.
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
                    throw ImportError.invalidHistory(.alreadySubscribed(group: group))
                }
                guard let app = context.apps[bundleID], var subscription = try subscription(rows, history, account, app, db) else {
                    continue
                }
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
        guard let newest = rows.last(where: { $0.additionTo == nil }), let end = newest.expiresDate,
            let reason = TransactionReason(rawValue: newest.reason)
        else {
            return nil
        }
        let storefront = account.storefront(of: app)
        let commitment = newest.commitment.flatMap { CommitmentCharge($0, currency: newest.currency) }
        guard let plan = plan(of: newest, commitment, app.catalog, in: storefront) else { return nil }
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
        subscriptionHistory.commitment = plan.commitment == nil ? nil : commitment
        let period = rows.filter { $0.id == newest.id || $0.additionTo == newest.id }
        subscriptionHistory.isRevoked = period.allSatisfy { $0.revokedAt != nil }
        if plan.seatPricing != nil { subscriptionHistory.seats = SubscriptionSeats(period, atRenewal: info?.renewalQuantity) }
        subscriptionHistory.renewalInfo = info
        subscriptionHistory.bundle = newest.bundle.map {
            SubscriptionBundle(productID: $0.productID, groupID: $0.groupID, originalTransactionID: $0.originalTransactionID)
        }
        subscriptionHistory.hasUsedIntroductoryOffer = rows.contains { $0.offerType == OfferType.introductory.rawValue }
        subscriptionHistory.offer = app.catalog.offers(of: newest.productID, in: storefront).first {
            $0.kind.rawValue == newest.offerType && $0.id == newest.offerID
        }
        subscriptionHistory.offerPeriod =
            ownPeriods.reversed().prefix { $0.offerType == newest.offerType && $0.offerID == newest.offerID }.count
        // Within a commitment, the customer can change the product and the billing plan of the renewal after it.
        let next = info?.commitmentInfo?.commitmentAutoRenewProductId ?? info?.autoRenewProductId
        let nextPlan = info?.commitmentInfo?.billingPlan ?? info?.renewalBillingPlan
        if let next, next != newest.productID || nextPlan != nil && nextPlan != (plan.billingPlan ?? .billedUpfront) {
            subscriptionHistory.pendingPlan = app.catalog.plan(next, in: storefront, nextPlan) ?? app.catalog.plan(next, in: storefront)
        }
        return Subscription(continuing: subscriptionHistory, rules: try context.apps.rules(db))
    }
}

extension HistoryImportService {
    /// Returns the plan of an imported period: the catalog's, or the one that the transaction states if the catalog lacks the billing plan.
    private func plan(
        of newest: TransactionRecord, _ commitment: CommitmentCharge?, _ catalog: Catalog, in storefront: Storefront
    ) -> SubscriptionPlan? {
        let billingPlan = newest.billingPlan.flatMap { BillingPlanType(rawValue: $0) }
        if var plan = catalog.plan(newest.productID, in: storefront, billingPlan) {
            plan.seatPricing = plan.seatPricing ?? newest.multiSeatInfo.flatMap { SeatPricing($0, currency: newest.currency) }
            return plan
        }
        guard var plan = catalog.plan(newest.productID, in: storefront) else { return nil }
        guard let commitment, let month = BillingPeriod(1, .month) else { return plan }
        plan.period = month
        plan.price = Money(milliunits: newest.price, currency: newest.currency)
        plan.billingPlan = billingPlan
        plan.commitment = SubscriptionCommitment(charges: commitment.count, price: commitment.price)
        return plan
    }
}

extension TransactionRecord {
    /// Returns the price of the time that remains at `now` in the subscription period, in thousandths of the currency's main unit.
    func remainder(at now: Timestamp) -> Int64 {
        let refund = SubscriptionRevocation.prorated(from: purchaseDate, to: expiresDate ?? purchaseDate, at: now)
        return refund.amount(of: Money(milliunits: price, currency: currency)).milliunits
    }

    /// The refunded amount of a revoked transaction, in thousandths of the currency's main unit.
    fileprivate var refunded: Int64 {
        // A bundle replaced the rest of the period.
        if let revokedAt, revocationReason == PurchaseRevocationReason.upgradedToBundle.rawValue { return remainder(at: revokedAt) }
        guard let revocationPercentage, revocationType == RevocationType.proratedRefund.rawValue else { return price }
        return SubscriptionRevocation.prorated(revocationPercentage).amount(of: Money(milliunits: price, currency: currency)).milliunits
    }
}

extension SubscriptionSeats {
    /// Creates the seats that the imported transactions of a period state.
    fileprivate init(_ period: [TransactionRecord], atRenewal: Int?) {
        func sum(_ seats: (TransactionRecord) -> Int) -> Int {
            // A transaction of the App Store has no more seats than a store sells in one period.
            period.reduce(0) { min($0 + min(max(0, seats($1)), SeatPricing.seatLimit), SeatPricing.seatLimit) }
        }
        let purchased = max(1, sum(\.quantity))
        let refunded = min(purchased, sum { max(0, $0.quantity) - $0.remainingSeats })
        let count = max(1, purchased - refunded)
        self.init(purchased: purchased, refunded: refunded, atRenewal: min(max(1, atRenewal ?? count), count))
    }
}

extension SeatPricing {
    /// Creates the prices of seats from the tiers of an imported transaction; nil if a tier lacks a value.
    fileprivate init?(_ info: TransactionMultiSeatInfo, currency: String) {
        var tiers: [Tier] = []
        var next = 1
        for tier in (info.priceTiers ?? []).sorted(by: { ($0.price ?? 0) > ($1.price ?? 0) }) {
            guard let price = tier.price, let quantity = tier.quantity, (1...Self.seatLimit).contains(quantity) else { return nil }
            tiers.append(Tier(minimumSeats: next, price: Money(milliunits: price, currency: currency)))
            next += quantity
        }
        self.init(tiers)
    }
}

extension CommitmentCharge {
    /// Creates the position that an imported transaction states; nil if a value is missing or no commitment has the numbers.
    fileprivate init?(_ info: TransactionCommitmentInfo, currency: String) {
        guard let number = info.billingPeriodNumber, let count = info.totalBillingPeriods, (1...366).contains(count),
            (1...count).contains(number), let expires = info.commitmentExpiresDate
        else { return nil }
        let price = Money(milliunits: info.commitmentPrice ?? 0, currency: currency)
        self.init(number: number, count: count, expires: expires, price: price)
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: 0)
}
