/// The identifier with which a customer signs in to the store.
public struct AccountID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
