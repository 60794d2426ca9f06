/// A string that names one thing on the wire, kept apart from other strings by its type.
///
/// Identifiers travel as plain JSON strings. They compare by their UTF-8 text and are never interpreted:
/// transaction ids exceed the integers that JavaScript can hold, so even "numbers" stay text.
public protocol WireIdentifier: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible,
    CodingKeyRepresentable, ExpressibleByStringLiteral
where RawValue == String {
    /// Wraps a text that is known to be such an identifier.
    init(_ rawValue: String)
}

extension WireIdentifier {
    /// Wraps a text; never fails.
    public init(rawValue: String) {
        self.init(rawValue)
    }

    /// Reads an identifier, which has to keep the rule of ``IdentifierText``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard IdentifierText.isValid(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath, debugDescription: "not an identifier", underlyingError: IdentifierText.Refusal()))
        }
        self.init(text)
    }

    /// Wraps a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The identifier as it travels.
    public var description: String { rawValue }

    /// Compares UTF-8 texts byte by byte.
    ///
    /// To Swift's strings the sign for kelvin equals a K, so that two apps could have identifiers that are equal and not the same.
    /// Hashes stay those of strings: what is the same here is equal there.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
    }

    /// Compares UTF-8 texts byte by byte.
    ///
    /// Without it `!=` would be that of all raw representable types, which compares strings.
    public static func != (lhs: Self, rhs: Self) -> Bool {
        !(lhs == rhs)
    }

    /// Orders by UTF-8 text.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
    }
}
