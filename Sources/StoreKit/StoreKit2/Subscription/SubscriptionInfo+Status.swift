import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Product.SubscriptionInfo {
    /// Whether the customer may have the introductory offer of the group.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligible(for: subscriptionGroupID, on: origin.serving) }
    }

    /// Whether the customer may have the introductory offer of a group: not one who had one before, and not one who is subscribed.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        await isEligible(for: groupID, on: Device.active)
    }

    /// The states of the customer's subscriptions in the group; several where the family shares one, none for who never subscribed.
    ///
    /// - Throws: ``StoreKitError``.
    public var status: [Status] {
        get async throws { try await Self.statuses(for: subscriptionGroupID, on: origin.serving) }
    }

    /// The states of the customer's subscriptions in a group; several where the family shares one, none for who never subscribed.
    ///
    /// - Throws: ``StoreKitError``.
    public static func status(for groupID: String) async throws -> [Status] {
        try await statuses(for: groupID, on: Device.active)
    }

    /// The state of the subscription that a transaction belongs to; nil when there is none.
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
        let isSubscribed = statuses.contains { $0.transaction.unsafePayloadValue.ownershipType == .purchased && $0.state.isHeld }
        return !isSubscribed && IntroductoryOfferRule.isEligible(for: groupID, history.entries.map(\.transaction))
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// Whether the subscription has not ended, so that another purchase in its group changes the plan.
    fileprivate var isHeld: Bool { [.subscribed, .inGracePeriod, .inBillingRetryPeriod].contains(self) }
}

/// Who may have an introductory offer, as far as the history says.
enum IntroductoryOfferRule {
    /// Whoever never had one in the group, as owner; what the family shares does not count.
    static func isEligible(for groupID: String, _ history: [Transaction]) -> Bool {
        !history.contains {
            $0.subscriptionGroupID == groupID && $0.offer?.type == .introductory && $0.ownershipType == .purchased
        }
    }
}

extension Device {
    /// The states of all subscriptions in StoreKit's form, by group, in the order in which the store tells them.
    @concurrent
    func statusesByGroup() async -> [(groupID: String, statuses: [Product.SubscriptionInfo.Status])] {
        var groups: [(groupID: String, statuses: [Product.SubscriptionInfo.Status])] = []
        for told in await statuses() {
            guard let status = await Product.SubscriptionInfo.Status(told, on: self) else { continue }
            if let index = groups.firstIndex(where: { $0.groupID == told.group.rawValue }) {
                groups[index].statuses.append(status)
            } else {
                groups.append((told.group.rawValue, [status]))
            }
        }
        return groups
    }

    /// The state of the subscription that a transaction belongs to; nil when there is none.
    func status(of transaction: Transaction) async -> Product.SubscriptionInfo.Status? {
        let group = await statusesByGroup().first { $0.groupID == transaction.subscriptionGroupID }?.statuses ?? []
        return group.first { $0.transaction.unsafePayloadValue.originalID == transaction.originalID }
            ?? group.first { $0.transaction.unsafePayloadValue.ownershipType == transaction.ownershipType }
    }
}
