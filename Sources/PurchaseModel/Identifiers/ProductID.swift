/// The identifier of a product, unique in its app.
public struct ProductID: WireIdentifier {
    /// The identifier as it travels.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
