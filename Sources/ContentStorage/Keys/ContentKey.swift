public import ContentManifest

/// The name of an object in a storage.
///
/// A key comes from the digest of its content or from the configuration, never from a request. All keys are validated, those of the
/// configuration too. A key has at most ``maximumLength`` bytes, and consists of components that are separated by slashes. A component
/// has 1 to ``maximumComponentLength`` characters: ASCII letters, digits, and `! - _ . * ' ( )`. It does not begin with a dot, so that a
/// key can't name a parent folder or a hidden file.
///
/// A file system that ignores case treats two keys that differ only in case as equal; use lower case.
///
/// Source: [Naming Amazon S3 objects](https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html).
public struct ContentKey: Hashable, Sendable {
    /// The maximum length of a key in bytes: 1,024, the limit of S3.
    public static let maximumLength = 1_024
    /// The maximum length of a component in bytes: 255, the limit of most file systems.
    public static let maximumComponentLength = 255

    /// The text of the key, such as `sha256/9f/9f86d081884c7d65`.
    public let text: String

    /// Validates the text of a key.
    ///
    /// - Throws: ``ContentKeyError``, which states the violated rule.
    public init(_ text: String) throws(ContentKeyError) {
        guard !text.isEmpty else { throw .empty }
        try Self.checkCharacters(of: text)
        for component in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard !component.isEmpty else { throw .emptyComponent }
            try Self.checkComponent(component)
        }
        self.text = text
    }

    /// Creates the content-addressed key of an object: `sha256/`, the first two digits of the digest, a slash, and the digest.
    public init(addressing digest: ContentDigest) {
        text = "sha256/\(digest.hexadecimal.prefix(2))/\(digest.hexadecimal)"
    }

    /// The components of the key.
    var components: [String] { text.split(separator: "/").map { String($0) } }

    /// The key as a path in a URL, in which all characters except the slashes and the unreserved ones (RFC 3986) are percent-encoded.
    package var percentEncoded: String { S3Encoding.path(text) }

    static func checkCharacters(of text: String) throws(ContentKeyError) {
        guard text.utf8.count <= maximumLength else { throw .tooLong }
        guard text.utf8.allSatisfy(isAllowed) else { throw .invalidCharacter }
    }

    static func checkComponent(_ component: Substring.UTF8View) throws(ContentKeyError) {
        guard component.first != UInt8(ascii: ".") else { throw .leadingDot }
        guard component.count <= maximumComponentLength else { throw .componentTooLong }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"),
            UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }
}

extension ContentKey: Comparable, CustomStringConvertible {
    /// The text of the key.
    public var description: String { text }

    /// Returns whether a key precedes another one in the order of their bytes, which is the order of a listing.
    public static func < (lhs: ContentKey, rhs: ContentKey) -> Bool {
        lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
    }
}

extension ContentKey: Codable {
    /// Decodes a key from a string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a text that is not a valid key; the error does not contain the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(ContentKeyError) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the key as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The rule that a key or a prefix violates.
public enum ContentKeyError: Error, Hashable, Sendable {
    /// The key is empty.
    case empty
    /// The text is longer than ``ContentKey/maximumLength``.
    case tooLong
    /// The text contains a character that is not allowed.
    case invalidCharacter
    /// The text begins or ends with a slash, or contains two slashes in a row.
    case emptyComponent
    /// A component is longer than ``ContentKey/maximumComponentLength``.
    case componentTooLong
    /// A component begins with a dot, such as `..`.
    case leadingDot
}

extension ContentKeyError: CustomStringConvertible {
    /// The violated rule.
    public var description: String {
        switch self {
        case .empty: "Invalid key: the text is empty."
        case .tooLong: "Invalid key: the text has more than \(ContentKey.maximumLength) bytes."
        case .invalidCharacter: "Invalid key: only ASCII letters, digits, slashes and ! - _ . * ' ( ) are allowed."
        case .emptyComponent: "Invalid key: a slash must stand between two names."
        case .componentTooLong: "Invalid key: a name between slashes has more than \(ContentKey.maximumComponentLength) bytes."
        case .leadingDot: "Invalid key: a name between slashes begins with a dot."
        }
    }
}
