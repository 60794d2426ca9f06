/// The store's identifier of a transaction, which consists of decimal digits.
///
/// The digits stay text, because they exceed the integers that a floating-point number represents exactly.
public struct TransactionID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
