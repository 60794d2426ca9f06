/// Subscriptions of one account.
public struct SubscriptionsReply: Codable, Hashable, Sendable {
    /// In the order in which they were bought.
    public var subscriptions: [SubscriptionDescription]

    /// Creates a reply.
    public init(subscriptions: [SubscriptionDescription]) {
        self.subscriptions = subscriptions
    }
}
