/// An identifier with its own type, which JSON represents as a string.
///
/// Identifiers compare by their UTF-8 bytes. They stay text even when they consist of digits, because transaction identifiers exceed
/// the integers that JavaScript represents exactly.
public protocol WireIdentifier: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible,
    CodingKeyRepresentable, ExpressibleByStringLiteral
where RawValue == String {
    /// Creates an identifier from a valid text, without validation.
    init(_ rawValue: String)
}

extension WireIdentifier {
    /// Creates an identifier from a valid text, without validation; never nil.
    public init(rawValue: String) {
        self.init(rawValue)
    }

    /// Decodes an identifier; throws `DecodingError.dataCorrupted` with ``IdentifierText/Refusal`` for an invalid text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard IdentifierText.isValid(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath, debugDescription: "Not a valid identifier.", underlyingError: IdentifierText.Refusal()
                ))
        }
        self.init(text)
    }

    /// Creates an identifier from a literal, without validation.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The identifier as text.
    public var description: String { rawValue }

    /// Compares the UTF-8 bytes.
    ///
    /// Swift's strings compare by canonical equivalence: the kelvin sign equals the letter K. Hashes are those of strings, which is
    /// consistent, because identifiers with equal bytes have equal hashes.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
    }

    /// Compares the UTF-8 bytes.
    ///
    /// Without this operator, `!=` would be the operator of `RawRepresentable`, which compares strings.
    public static func != (lhs: Self, rhs: Self) -> Bool {
        !(lhs == rhs)
    }

    /// Orders identifiers by their UTF-8 bytes.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
    }
}
