import GRDB
import PurchaseModel
import StoreProtocol

extension StoreMessage {
    /// Returns the App Store messages (StoreKit's `Message`) about the subscriptions of a device's account and app.
    static func all(for session: SessionRecord, in catalog: Catalog, _ db: Database) throws -> [StoreMessage] {
        try SubscriptionRecord.all(of: session.account, in: session.bundleID, db)
            .filter { $0.purchaserTransactionID == nil }
            .compactMap { row in
                let subscription = row.subscription
                let offers = catalog.product(subscription.productID)?.subscription?.offers ?? []
                guard let reason = subscription.message(offers) else { return nil }
                // The identifier of a message contains the period, and for a price increase also the price, so that the same message always
                // has the same identifier and devices show it once.
                let price = reason == .priceIncreaseConsent ? "-\(subscription.priceIncrease?.price.milliunits ?? 0)" : ""
                return StoreMessage(
                    id: "\(reason.rawValue)-\(row.id)-\(subscription.period.number)\(price)", reason: reason,
                    productID: subscription.productID, originalTransactionID: row.id
                )
            }
    }
}

extension Subscription {
    /// Returns the reason for a message to the subscriber; nil if the store has no message.
    ///
    /// - Parameter offers: The offers of the subscription's product.
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
