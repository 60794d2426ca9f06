import Foundation
import FoundationExtras

/// An absolute `http` or `https` URL that an HTTP client can open (RFC 3986; RFC 9110, section 4.2).
///
/// A URL must have at most ``maximumLength`` bytes, all of them visible ASCII. The host is a host name (international names in
/// Punycode), an IPv4 address, or an IPv6 address in brackets. The port is absent, or a number from 1 to 65535. User names, passwords
/// and fragments are invalid, because clients ignore them.
///
/// Convert every external URL to this type before sending a request: HTTP clients trap on some texts that Foundation parses as a URL,
/// such as `http://localhost:65536/`.
public struct HTTPURL: Hashable, Sendable {
    /// The maximum length of a URL in bytes.
    public static let maximumLength = 2_000

    /// The text of the URL, unchanged.
    public let text: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// Whether the URL has a query, so that no path can be appended.
    public let hasQuery: Bool

    /// Parses a URL; nil for a text that an HTTP client cannot open.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.percentEncodedHost, Self.isHost(host),
            parts.user == nil, parts.password == nil, parts.fragment == nil,
            Self.isPort(Self.authority(of: text).dropFirst(host.utf8.count))
        else { return nil }
        hasQuery = parts.percentEncodedQuery != nil
        self.text = text
        isSecure = scheme == "https"
    }

    /// Creates the URL of a server on 127.0.0.1.
    ///
    /// - Parameter port: The port, which the operating system assigned; another value becomes the nearest valid port.
    public init(loopbackPort port: Int) {
        self.init(trusted: "http://127.0.0.1:\(max(UInt16(clamping: port), 1))", isSecure: false)
    }

    /// Creates an `https` URL from a host name that is a literal in the source code.
    package init(https host: StaticString) {
        self.init(trusted: "https://\(host)", isSecure: true)
    }

    private init(trusted text: String, isSecure: Bool) {
        self.text = text
        self.isSecure = isSecure
        hasQuery = false
    }

    /// The text of the URL without a trailing slash, to which a path can be appended.
    public var base: String { text.hasSuffix("/") ? String(text.dropLast()) : text }

    /// Returns the URL with an appended path, or nil when the result is invalid, such as a URL that is too long.
    ///
    /// - Parameter path: A percent-encoded path that begins with a slash.
    public func appending(_ path: String) -> HTTPURL? {
        HTTPURL(base + path)
    }

    /// Returns the text between the scheme and the path of a URL: the user information, the host and the port.
    private static func authority(of text: String) -> Substring {
        guard let start = text.range(of: "://")?.upperBound else { return "" }
        return text[start...].prefix { !"/?#".contains($0) }
    }

    /// Returns whether the text after the host of a URL is empty or a valid port.
    ///
    /// This check is needed because Foundation parses an empty or oversized port as an absent port.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        return text.first == ":" && UInt16(text.dropFirst()).map { $0 > 0 } ?? false
            && text.dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns whether a text is a host name, an IPv4 address, or an IPv6 address in brackets without a zone.
    private static func isHost(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            return address.utf8.count <= 45 && address.contains(":") && Hexadecimal.isHexadecimal(address.filter { $0 != ":" && $0 != "." })
        }
        // Container host names can contain an underscore.
        return (1...253).contains(host.utf8.count)
            && host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL as text.
    public var description: String { text }
}

extension HTTPURL: Codable {
    /// Decodes a URL from a string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an invalid URL; the error does not contain the text of the URL.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let url = HTTPURL(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not a valid http or https URL.")
        }
        self = url
    }

    /// Encodes the URL as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
