/// The name by which a customer signs in to the store.
public struct AccountID: WireIdentifier {
    /// The identifier as it travels.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
