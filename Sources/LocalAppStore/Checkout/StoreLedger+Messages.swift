import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The store messages that the caller's app receives about its subscriptions.
    func messages(for session: SessionRecord, _ db: Database) throws -> [StoreMessage] {
        let catalog = try apps.require(session.bundleID).catalog
        return try SubscriptionRecord.all(of: session.account, in: session.bundleID, db)
            .filter { $0.purchaserTransactionID == nil }
            .compactMap { row in
                let subscription = row.subscription
                let offers = catalog.product(subscription.productID)?.subscription?.offers ?? []
                guard let reason = subscription.message(offers) else { return nil }
                // A message's identifier depends on the period, and for a price increase also on the price, so that a repeated message
                // has the same identifier.
                let price = reason == .priceIncreaseConsent ? "-\(subscription.priceIncrease?.price.milliunits ?? 0)" : ""
                return StoreMessage(
                    id: "\(reason.rawValue)-\(row.id)-\(subscription.period.number)\(price)", reason: reason,
                    productID: subscription.productID, originalTransactionID: row.id
                )
            }
    }
}

extension Subscription {
    /// The message for the subscriber; nil for none.
    fileprivate func message(_ offers: [SubscriptionOffer]) -> StoreMessage.Reason? {
        switch state {
        case .gracePeriod, .billingRetry: return .billingIssue
        case .active: return priceIncrease?.consent == .pending ? .priceIncreaseConsent : nil
        case .expired, .revoked:
            let marked = offers.filter { $0.isEligible == true }
            return eligibleWinBackOfferIDs(among: marked).isEmpty ? nil : .winBackOffer
        }
    }
}
