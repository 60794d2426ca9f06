/// The store's identifier of one transaction: decimal digits, too many for a floating-point number.
public struct TransactionID: WireIdentifier {
    /// The identifier as it travels.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
