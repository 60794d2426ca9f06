/// The identifier of a subscription group, in which a customer has at most one active subscription.
public struct SubscriptionGroupID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
