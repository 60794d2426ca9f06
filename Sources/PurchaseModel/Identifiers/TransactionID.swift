/// The store's identifier of a transaction: decimal digits, too many for an exact floating-point number.
public struct TransactionID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from a valid text, without validation.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
