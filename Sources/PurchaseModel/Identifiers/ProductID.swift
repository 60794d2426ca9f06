/// The identifier of a product, unique within its app.
public struct ProductID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from a valid text, without validation.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
