/// A part of a response, or of the request to which it responds, that a signature covers (RFC 9421, section 2).
public struct SignatureComponent: Hashable, Sendable {
    /// The name of the component: that of a field in lower case, or of a derived component such as `@status`.
    public let name: String
    /// Whether the component belongs to the request (the parameter `req` of RFC 9421, section 2.4).
    public let isOfRequest: Bool

    private init(_ name: String, isOfRequest: Bool = false) {
        self.name = name
        self.isOfRequest = isOfRequest
    }

    /// The status code of the response (section 2.2.9).
    public static let status = SignatureComponent("@status")
    /// The method of the request (section 2.2.1).
    public static let requestMethod = SignatureComponent("@method", isOfRequest: true)
    /// The absolute URL of the request (section 2.2.2).
    ///
    /// A server behind a proxy does not know it.
    public static let requestTargetURI = SignatureComponent("@target-uri", isOfRequest: true)
    /// The host and the port of the request (section 2.2.3).
    public static let requestAuthority = SignatureComponent("@authority", isOfRequest: true)
    /// The path of the request (section 2.2.6).
    public static let requestPath = SignatureComponent("@path", isOfRequest: true)
    /// The query of the request (section 2.2.7).
    public static let requestQuery = SignatureComponent("@query", isOfRequest: true)

    /// Returns the component of a field of the response (section 2.1).
    public static func field(_ name: String) -> SignatureComponent { SignatureComponent(name.lowercased()) }

    /// Returns the component of a field of the request (section 2.4).
    public static func requestField(_ name: String) -> SignatureComponent { SignatureComponent(name.lowercased(), isOfRequest: true) }

    /// The components of each signed response: status, content and its type, and the method, the path and the query of the request.
    ///
    /// A response without content needs a `Content-Type`, too, because a component can't be absent.
    public static let response: [SignatureComponent] = [
        .status, .field(ContentDigest.fieldName), .field("content-type"), .requestMethod, .requestPath, .requestQuery,
    ]

    /// The components of a response to a request with content: those of ``response``, and the digest of the request's content.
    ///
    /// The server must verify the request's `Content-Digest` before it signs, because the signature covers the field only.
    public static let responseToContent = response + [.requestField(ContentDigest.fieldName)]

    private static let derived: Set<SignatureComponent> = [
        .status, .requestMethod, .requestTargetURI, .requestAuthority, .requestPath, .requestQuery,
    ]

    /// Reads the identifier of a component.
    ///
    /// - Throws: ``MessageSignatureError/unsupportedComponent(_:)`` for an identifier that is not a string, and for parameters other than
    ///   `req`, which would change the value.
    init(_ item: StructuredItem) throws(MessageSignatureError) {
        guard case .string(let name) = item.value,
            item.parameters.isEmpty || item.parameters == [StructuredParameter("req", .boolean(true))]
        else { throw .unsupportedComponent(String(item.serialized.prefix(100))) }
        self.init(name, isOfRequest: !item.parameters.isEmpty)
    }

    /// Whether the component is a supported derived component, or a field with a valid name in lower case.
    var isSupported: Bool { Self.derived.contains(self) || (HTTPSyntax.isToken(name) && name == name.lowercased()) }

    /// The identifier of the component in a signature's list.
    var item: StructuredItem {
        StructuredItem(value: .string(name), parameters: isOfRequest ? [StructuredParameter("req", .boolean(true))] : [])
    }

    /// Returns the value of the component; nil when the message does not have it.
    func value(of response: HTTPResponseMessage, to request: HTTPRequestMessage) -> String? {
        switch self {
        case .status: (100...999).contains(response.status) ? String(response.status) : nil
        case .requestMethod: request.method
        case .requestTargetURI: request.targetURI
        case .requestAuthority: request.authority
        case .requestPath: request.path
        // The value of a request without a query is a question mark (section 2.2.7).
        case .requestQuery: "?" + (request.query ?? "")
        default: isOfRequest ? request.fields[name] : response.fields[name]
        }
    }
}

extension SignatureComponent: CustomStringConvertible {
    /// The identifier of the component as in `Signature-Input`, such as `"@method";req`.
    public var description: String { item.serialized }
}
