/// An identifier from outside whose kind has no type of its own, such as an alias of a customer, an idempotency key or a charge.
///
/// Use the type as the key of dictionaries, as the element of sets, and to compare: Swift's strings compare by canonical equivalence, and
/// databases and other programs compare bytes. With `String` as the key, `café` in two Unicode forms would be one entry here, and two rows
/// there.
public struct OpaqueText: WireIdentifier {
    /// The text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
