public import PurchaseModel

/// An HTTP request, to which a signed response is bound.
///
/// Client and server each create it from the request as they sent and received it.
public struct HTTPRequestMessage: Hashable, Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The path, percent-encoded, such as `/v1/access`; `/` for an empty one (RFC 9421, section 2.2.6).
    public let path: String
    /// The query, percent-encoded and without the question mark; nil for a request without a query.
    public let query: String?
    /// The absolute URL without a fragment; nil when it is unknown, as on a server behind a proxy.
    public let targetURI: String?
    /// The host in lower case, with the port unless it is the scheme's default (RFC 9421, section 2.2.3); nil when it is unknown.
    public let authority: String?
    /// The header fields.
    public var fields: HTTPMessageFields

    /// Creates a request from its absolute URL, as a client sends it.
    ///
    /// - Returns: Nil when the method is not a token.
    public init?(method: String, url: HTTPURL, fields: HTTPMessageFields = [:]) {
        guard HTTPSyntax.isToken(method), let scheme = url.text.firstRange(of: "://") else { return nil }
        let rest = url.text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
        let port = url.isSecure ? ":443" : ":80"
        self.authority = authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
        self.method = method
        self.fields = fields
        targetURI = url.text
        (path, query) = Self.split(rest.dropFirst(authority.count))
    }

    /// Creates a request from its request target, as a server receives it.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - target: The path and the query in origin form (RFC 9112, section 3.2.1), such as `/v1/access?product=book`.
    ///   - authority: The host, and the port unless it is the scheme's default; nil when it is unknown.
    ///   - fields: The header fields.
    /// - Returns: Nil when the method is not a token, or when the target or the authority is not visible ASCII.
    public init?(method: String, target: String, authority: String? = nil, fields: HTTPMessageFields = [:]) {
        guard HTTPSyntax.isToken(method), target.hasPrefix("/"), HTTPSyntax.isVisible(target), HTTPSyntax.isVisible(authority ?? "") else {
            return nil
        }
        self.method = method
        self.fields = fields
        self.authority = authority?.lowercased()
        targetURI = nil
        (path, query) = Self.split(target[...])
    }

    private static func split(_ target: Substring) -> (path: String, query: String?) {
        let path = target.prefix { $0 != "?" }
        return (path.isEmpty ? "/" : String(path), path.endIndex == target.endIndex ? nil : String(target[path.endIndex...].dropFirst()))
    }
}

/// An HTTP response with its content.
public struct HTTPResponseMessage: Hashable, Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields.
    public var fields: HTTPMessageFields
    /// The content, as it is transferred; empty for a response without content.
    public var content: [UInt8]

    /// Creates a response.
    public init(status: Int, fields: HTTPMessageFields, content: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}
