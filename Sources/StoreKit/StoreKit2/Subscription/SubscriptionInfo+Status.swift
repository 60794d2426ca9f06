import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Product.SubscriptionInfo {
    /// Whether the customer is eligible for the group's introductory offer.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligible(for: subscriptionGroupID, on: origin.activeDevice) }
    }

    /// Whether the customer is eligible for a group's introductory offer.
    ///
    /// A customer who is subscribed in the group, or has already used an introductory offer in it, is not eligible.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        await isEligible(for: groupID, on: Device.active)
    }

    /// The statuses of the customer's subscriptions in the group; several with Family Sharing, none without a subscription.
    ///
    /// - Throws: ``StoreKitError``.
    public var status: [Status] {
        get async throws { try await Self.statuses(for: subscriptionGroupID, on: origin.activeDevice) }
    }

    /// The statuses of the customer's subscriptions in a group; several with Family Sharing, none without a subscription.
    ///
    /// - Throws: ``StoreKitError``.
    public static func status(for groupID: String) async throws -> [Status] {
        try await statuses(for: groupID, on: Device.active)
    }

    /// The status of the subscription to which a transaction belongs; nil when there is none.
    ///
    /// - Throws: ``StoreKitError``.
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
    /// Whether the subscription has not expired; another purchase in the group then changes the plan.
    fileprivate var isActive: Bool { [.subscribed, .inGracePeriod, .inBillingRetryPeriod].contains(self) }
}

/// The eligibility for introductory offers according to the transaction history.
enum IntroductoryOfferRule {
    /// Whether the customer has not purchased with an introductory offer in the group; Family Sharing does not count.
    static func isEligible(for groupID: String, _ history: [Transaction]) -> Bool {
        !history.contains {
            $0.subscriptionGroupID == groupID && $0.offer?.type == .introductory && $0.ownershipType == .purchased
        }
    }
}

extension Device {
    /// The statuses of all subscriptions by group, in the order of the store's response.
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

    /// The status of the subscription to which a transaction belongs; nil when there is none.
    func status(of transaction: Transaction) async -> Product.SubscriptionInfo.Status? {
        let group = await statusesByGroup().first { $0.groupID == transaction.subscriptionGroupID }?.statuses ?? []
        return group.first { $0.transaction.unsafePayloadValue.originalID == transaction.originalID }
            ?? group.first { $0.transaction.unsafePayloadValue.ownershipType == transaction.ownershipType }
    }
}
