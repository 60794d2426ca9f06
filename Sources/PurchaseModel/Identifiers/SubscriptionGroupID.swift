/// The identifier of a group of subscriptions, of which a customer holds one at a time.
public struct SubscriptionGroupID: WireIdentifier {
    /// The identifier as it travels.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
