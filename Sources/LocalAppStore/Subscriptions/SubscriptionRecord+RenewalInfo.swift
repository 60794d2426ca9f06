import PurchaseModel
import StoreProtocol

extension SubscriptionRecord {
    /// Returns the current renewal info of the subscription, with its eligible win-back offers.
    func renewalInfo(environment: AppEnvironment, in apps: StoreApps, at now: Timestamp) -> RenewalInfoPayload {
        let offers = apps[bundleID]?.catalog.product(subscription.productID)?.subscription?.offers ?? []
        return subscription.renewalInfo(
            environment: environment, signedDate: now, eligibleWinBackOfferIDs: subscription.eligibleWinBackOfferIDs(among: offers))
    }
}

extension HistoryReply.Status {
    /// Creates the status of a subscription as the device API sends it.
    ///
    /// The status contains the transaction of the current period and the renewal info, both signed for the device.
    init(
        _ row: SubscriptionRecord, _ current: TransactionRecord, for session: SessionRecord, in context: StoreContext, at now: Timestamp
    ) throws {
        let renewal = row.renewalInfo(environment: current.environment, in: context.apps, at: now)
        self.init(
            group: row.groupID, status: row.subscription.status.rawValue,
            signedTransaction: try context.signer.sign(current, for: session.device, at: now),
            signedRenewalInfo: try context.signer.sign(renewal, for: session.device)
        )
    }
}
