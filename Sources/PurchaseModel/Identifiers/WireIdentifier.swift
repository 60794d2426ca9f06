/// An identifier of one kind, such as a product identifier, which JSON represents as a string.
///
/// Identifiers compare by their UTF-8 bytes. Identifiers that consist of digits stay text, because transaction identifiers exceed the
/// integers that JavaScript represents exactly.
public protocol WireIdentifier: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible,
    CodingKeyRepresentable, ExpressibleByStringLiteral
where RawValue == String {
    /// Creates an identifier from text, without validating the text.
    init(_ rawValue: String)
}

extension WireIdentifier {
    /// Creates an identifier from text, without validating the text; never returns nil.
    public init(rawValue: String) {
        self.init(rawValue)
    }

    /// Decodes an identifier from a string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with ``IdentifierText/Refusal`` as the underlying error, when the text is not a valid
    ///   identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard IdentifierText.isValid(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "An identifier must have at most \(IdentifierText.limit) bytes of UTF-8 and no control characters.",
                    underlyingError: IdentifierText.Refusal()
                ))
        }
        self.init(text)
    }

    /// Creates an identifier from a string literal, without validating the text.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The identifier as text.
    public var description: String { rawValue }

    /// Returns whether two identifiers have the same UTF-8 bytes.
    ///
    /// Swift's strings compare by canonical equivalence, in which the kelvin sign equals the letter K. The hash of an identifier is the
    /// hash of its string, which is consistent with this operator: identifiers with equal bytes have equal hashes.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
    }

    /// Returns whether two identifiers have different UTF-8 bytes.
    ///
    /// Without this operator, `!=` would be the operator of `RawRepresentable`, which compares strings by canonical equivalence.
    public static func != (lhs: Self, rhs: Self) -> Bool {
        !(lhs == rhs)
    }

    /// Returns whether an identifier precedes another identifier in the order of their UTF-8 bytes.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
    }
}
