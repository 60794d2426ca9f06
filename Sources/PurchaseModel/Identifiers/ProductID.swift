/// The identifier of a product, unique within its app.
public struct ProductID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
