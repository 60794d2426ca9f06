import Foundation

/// An absolute `http` or `https` URL that an HTTP client can open (RFC 3986; RFC 9110, section 4.2).
///
/// Every URL that comes from outside becomes one of these before anything is sent to it: HTTP clients trap on some texts that
/// Foundation takes for a URL, such as `http://localhost:65536/`. Accepted are texts of at most ``maximumLength`` bytes of visible
/// ASCII, with a host name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535 or none. User names,
/// passwords and fragments are refused, because clients ignore them. International host names are written in Punycode.
public struct HTTPURL: Hashable, Sendable {
    /// The most bytes of a URL.
    public static let maximumLength = 2_000

    /// The URL as it was written.
    public let text: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// Whether there is a query, so that nothing can be appended to the path.
    public let hasQuery: Bool

    /// Reads a URL; nil for anything that a client could not open.
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

    /// The URL of a server that listens on 127.0.0.1, at the port that the system chose.
    package init(loopbackPort port: Int) {
        self.init(trusted: "http://127.0.0.1:\(max(UInt16(clamping: port), 1))", isSecure: false)
    }

    /// A URL of https that the source code names.
    package init(https host: StaticString) {
        self.init(trusted: "https://\(host)", isSecure: true)
    }

    private init(trusted text: String, isSecure: Bool) {
        self.text = text
        self.isSecure = isSecure
        hasQuery = false
    }

    /// The URL as text without a slash at its end, for a path to follow.
    public var base: String { text.hasSuffix("/") ? String(text.dropLast()) : text }

    /// The URL of a path below this one; `path` begins with a slash and is percent-encoded.
    ///
    /// - Returns: nil when the whole is not a URL, such as when it is too long.
    public func appending(_ path: String) -> HTTPURL? {
        HTTPURL(base + path)
    }

    /// What stands between the scheme and the path.
    private static func authority(of text: String) -> Substring {
        guard let start = text.range(of: "://")?.upperBound else { return "" }
        return text[start...].prefix { !"/?#".contains($0) }
    }

    /// Whether what follows a host is empty or a port; Foundation reads an empty port, and one that does not fit into 64 bits, as none.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        return text.first == ":" && UInt16(text.dropFirst()).map { $0 > 0 } ?? false
            && text.dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether a text is a host name of DNS, an IPv4 address, or an IPv6 address in brackets; zones are left out.
    private static func isHost(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            return address.utf8.count <= 45 && address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        // The underscore is in names that containers have.
        return (1...253).contains(host.utf8.count)
            && host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL as text.
    public var description: String { text }
}

extension HTTPURL: Codable {
    /// Reads a URL from a string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a text that is none; the text is not in the error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let url = HTTPURL(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is not an http or https URL.")
        }
        self = url
    }

    /// Writes the URL as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
