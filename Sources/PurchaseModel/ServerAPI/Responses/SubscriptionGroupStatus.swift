/// A customer's subscriptions in one group.
public struct SubscriptionGroupStatus: Codable, Hashable, Sendable {
    /// The group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID
    /// One element for each original transaction.
    public var lastTransactions: [LastTransaction]

    /// Creates an element.
    public init(subscriptionGroupIdentifier: SubscriptionGroupID, lastTransactions: [LastTransaction]) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.lastTransactions = lastTransactions
    }
}
