/// The name of an entitlement, such as `premium`, which one or more products give.
public struct EntitlementName: WireIdentifier {
    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
