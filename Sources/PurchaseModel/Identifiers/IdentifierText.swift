public import Foundation

/// The rule for every text that names something: at most 1,024 bytes of UTF-8 without control characters.
///
/// Databases end a text at U+0000, and a terminal or a log shows two texts alike that differ in control characters. So no edge lets
/// such a text in: two identifiers that differ for their sender never name one thing here.
public enum IdentifierText {
    /// The most bytes of UTF-8.
    public static let limit = 1_024

    /// Whether a text can be an identifier.
    public static func isValid(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= limit && !text.unicodeScalars.contains(where: isControl)
    }

    /// Whether a character is one of U+0000 to U+001F, U+007F, and U+0080 to U+009F.
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Why a text was refused as an identifier; decoding a ``WireIdentifier`` throws it inside of a `DecodingError`.
    public struct Refusal: Error, Equatable, Sendable {
        /// Creates the error.
        public init() {}
    }

    /// Reads a UUID of 36 characters, in upper or lower case, and nothing besides.
    ///
    /// `UUID(uuidString:)` reads no further than a U+0000.
    public static func uuid(_ text: String) -> UUID? {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text), uuid.uuidString.lowercased() == text.lowercased() else {
            return nil
        }
        return uuid
    }
}
