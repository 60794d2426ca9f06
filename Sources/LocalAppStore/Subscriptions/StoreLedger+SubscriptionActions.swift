import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Performs an action, such as a renewal or a price increase, on the subscription to which a transaction belongs.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the transaction belongs to no subscription that the account purchased, or another
    ///   ``StoreError`` if the action is not possible.
    func performAction(_ request: SubscriptionRequest, on id: TransactionID) async throws -> SubscriptionDescription {
        try await write { db, now in
            guard let first = try TransactionRecord.find(id, db),
                let row = try SubscriptionRecord.fetchOne(db, key: first.originalID.rawValue),
                row.purchaserTransactionID == nil
            else { throw StoreError.transactionUnknown }
            let failsRenewals = try apps.require(row.bundleID).catalog.settings.failsRenewals
            let event = try event(request, row.subscription, failsRenewals: failsRenewals, at: now)
            let changed = try apply(event, to: row, at: now, db)
            return describe(changed, environment: first.environment, at: now)
        }
    }

    private func event(
        _ request: SubscriptionRequest, _ subscription: Subscription, failsRenewals: Bool, at now: Timestamp
    ) throws(StoreError) -> SubscriptionEvent {
        switch request.action {
        case .enableAutoRenew: return .autoRenew(true)
        case .disableAutoRenew: return .autoRenew(false)
        case .cancelChange:
            // A pending change is canceled by a purchase of the current plan, which would be charged if no period were running.
            guard subscription.state == .active, subscription.paidUntil > now, subscription.pendingPlan != nil else {
                throw .invalidValue(field: "action")
            }
            return .purchase(SubscriptionPurchase(subscription.plan))
        case .renew: return .renewalForced(hasValidPaymentMethod: !failsRenewals)
        case .expire: return .expiryForced
        case .increasePriceWithConsent, .increasePriceWithoutConsent:
            let old = subscription.plan.price
            let price = request.price ?? old.milliunits
            guard (0...1_000_000_000_000).contains(price) else { throw .invalidValue(field: "price") }
            return .priceChanged(
                of: subscription.productID, to: Money(milliunits: price, currency: old.currency),
                requiresConsent: request.action == .increasePriceWithConsent
            )
        case .consentToPriceIncrease: return .priceConsent(true)
        case .declinePriceIncrease: return .priceConsent(false)
        case .extend:
            let days = request.days ?? 0
            if let refusal = subscription.refusal(ofExtensionBy: days, at: now) { throw .extensionRefused(refusal) }
            return .extended(days: days)
        }
    }
}
