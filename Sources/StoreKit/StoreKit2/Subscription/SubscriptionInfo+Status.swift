import OpenStoreKit
import PurchaseModel
import StoreProtocol

extension Product.SubscriptionInfo {
    /// Whether the customer is eligible for an introductory offer in the subscription group.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligible(for: subscriptionGroupID, on: origin.activeDevice) }
    }

    /// Returns whether the customer is eligible for an introductory offer in a subscription group.
    ///
    /// A customer is not eligible while subscribed in the group, or after using an introductory offer of the group.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        await isEligible(for: groupID, on: Device.active)
    }

    /// The statuses of the customer's subscriptions in the subscription group.
    ///
    /// The array contains several statuses if subscriptions are shared through Family Sharing. The array is empty if the customer has never
    /// had a subscription in the group.
    ///
    /// - Throws: ``StoreKitError`` if no `Device` is configured, or if a test simulates an error of subscription statuses.
    public var status: [Status] {
        get async throws { try await Self.statuses(for: subscriptionGroupID, on: origin.activeDevice) }
    }

    /// Returns the statuses of the customer's subscriptions in a subscription group.
    ///
    /// The array contains several statuses if subscriptions are shared through Family Sharing. The array is empty if the customer has never
    /// had a subscription in the group.
    ///
    /// - Throws: ``StoreKitError`` if no `Device` is configured, or if a test simulates an error of subscription statuses.
    public static func status(for groupID: String) async throws -> [Status] {
        try await statuses(for: groupID, on: Device.active)
    }

    /// Returns the status of the subscription to which a transaction belongs; returns nil if the customer has no such transaction.
    ///
    /// - Throws: ``StoreKitError`` if no `Device` is configured, or if a test simulates an error of subscription statuses.
    public static func status(transactionID: UInt64) async throws -> Status? {
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.subscriptionStatus)
        guard let entry = await Transaction.history(.transaction(TransactionID("\(transactionID)")), on: device).entries.first else {
            return nil
        }
        return await device.status(of: entry.transaction)
    }

    private static func statuses(for groupID: String, on device: Device?) async throws -> [Status] {
        guard !Task.isCancelled else { return [] }
        guard let device else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.subscriptionStatus)
        return await device.statusesByGroup().first { $0.groupID == groupID }?.statuses ?? []
    }

    private static func isEligible(for groupID: String, on device: Device?) async -> Bool {
        let history = await Transaction.history(.group(SubscriptionGroupID(groupID)), on: device)
        let statuses = await device?.statusesByGroup().first { $0.groupID == groupID }?.statuses ?? []
        let isSubscribed = statuses.contains { $0.transaction.unsafePayloadValue.ownershipType == .purchased && $0.state.isActive }
        return !isSubscribed && IntroductoryOfferRule.isEligible(for: groupID, history.entries.map(\.transaction))
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// Whether another purchase in the group changes the plan of the subscription instead of starting a new subscription.
    fileprivate var isActive: Bool { [.subscribed, .inGracePeriod, .inBillingRetryPeriod].contains(self) }
}

/// The rule that determines the eligibility for introductory offers from the transaction history.
enum IntroductoryOfferRule {
    /// Returns whether the customer has made no purchase with an introductory offer in a group.
    ///
    /// Purchases that other family members share do not count.
    static func isEligible(for groupID: String, _ history: [Transaction]) -> Bool {
        !history.contains {
            $0.subscriptionGroupID == groupID && $0.offer?.type == .introductory && $0.ownershipType == .purchased
        }
    }
}

extension Device {
    /// Returns the statuses of all subscriptions, grouped by subscription group in the order of the store's response.
    @concurrent
    func statusesByGroup() async -> [(groupID: String, statuses: [Product.SubscriptionInfo.Status])] {
        var groups: [(groupID: String, statuses: [Product.SubscriptionInfo.Status])] = []
        for latest in await statuses() {
            guard let status = await Product.SubscriptionInfo.Status(latest, on: self) else { continue }
            if let index = groups.firstIndex(where: { $0.groupID == latest.group.rawValue }) {
                groups[index].statuses.append(status)
            } else {
                groups.append((latest.group.rawValue, [status]))
            }
        }
        return groups
    }

    /// Returns the status of the subscription to which a transaction belongs; returns nil if the store has reported no status for it.
    func status(of transaction: Transaction) async -> Product.SubscriptionInfo.Status? {
        let group = await statusesByGroup().first { $0.groupID == transaction.subscriptionGroupID }?.statuses ?? []
        return group.first { $0.transaction.unsafePayloadValue.originalID == transaction.originalID }
            ?? group.first { $0.transaction.unsafePayloadValue.ownershipType == transaction.ownershipType }
    }
}
