import Foundation

/// A media type, such as `application/pdf` (RFC 9110, section 8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The media type of any bytes: `application/octet-stream`.
    public static let octetStream = MediaType()

    /// The text of the media type.
    public let text: String

    private init() {
        text = "application/octet-stream"
    }

    /// Validates a media type.
    ///
    /// The text has at most 255 bytes of printable ASCII: a type, a slash and a subtype, and optional parameters after a semicolon.
    ///
    /// - Throws: ``MediaTypeError`` for another text.
    public init(_ text: String) throws(MediaTypeError) {
        let parts = text.prefix { $0 != ";" }.trimmingSuffix(" ").split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.last != " ",
            parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isToken) })
        else { throw MediaTypeError() }
        self.text = text
    }

    /// Returns whether a byte may occur in a token (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""(),/:;<=>?@[\]{}"#.utf8.contains(byte)
    }
}

/// The error for a text that is not a media type.
public struct MediaTypeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to write instead.
    public var description: String { "Invalid media type: write a type and a subtype, such as application/pdf." }
}

extension MediaType: CustomStringConvertible {
    /// The text of the media type.
    public var description: String { text }
}

extension MediaType: Codable {
    /// Decodes a media type from a string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a text that is not a media type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let type = try? MediaType(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: MediaTypeError().description)
        }
        self = type
    }

    /// Encodes the media type as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self
        while rest.last == character { rest = rest.dropLast() }
        return rest
    }
}
