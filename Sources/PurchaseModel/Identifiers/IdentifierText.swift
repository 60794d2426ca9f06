public import Foundation

/// Validates the text of identifiers: at most 1,024 bytes of UTF-8 without control characters.
///
/// Two identifiers that differ only in control characters look equal in a terminal or a log, and SQLite truncates a text at U+0000. Every
/// external interface therefore refuses identifiers with control characters.
public enum IdentifierText {
    /// The maximum length of an identifier in bytes of UTF-8.
    public static let limit = 1_024

    /// Returns whether a text is a valid identifier.
    public static func isValid(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= limit && !text.unicodeScalars.contains(where: isControl)
    }

    /// Returns whether a Unicode scalar is a control character: U+0000 to U+001F, or U+007F to U+009F.
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// The underlying error of a `DecodingError` that reports an invalid identifier.
    public struct Refusal: Error, Equatable, Sendable {
        /// Creates the error.
        public init() {}
    }

    /// Parses a UUID of exactly 36 characters, in upper or lower case; returns nil for any other text.
    ///
    /// `UUID(uuidString:)` alone is not strict enough, because it ignores everything after a U+0000.
    public static func uuid(_ text: String) -> UUID? {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text), uuid.uuidString.lowercased() == text.lowercased() else {
            return nil
        }
        return uuid
    }
}
