import PurchaseModel

/// The parameters of a signature (RFC 9421, section 2.3).
struct SignatureParameters: Hashable, Sendable {
    /// The only algorithm (section 3.3.4).
    static let algorithm = "ecdsa-p256-sha256"

    /// The date of the signature in seconds since 1970.
    var created: Int64
    /// The date in seconds since 1970 after which the signature is invalid; nil when it has none.
    var expires: Int64?
    /// The identifier of the key.
    var keyID: String
    /// The nonce of the request.
    var nonce: String?
    /// The tag of the application.
    var tag: String?

    init(created: Int64, expires: Int64? = nil, keyID: String, nonce: String? = nil, tag: String? = nil) {
        self.created = created
        self.expires = expires
        self.keyID = keyID
        self.nonce = nonce
        self.tag = tag
    }

    /// Reads the parameters of a signature; unknown ones are signed, and have no effect.
    ///
    /// - Throws: ``MessageSignatureError/invalidParameter(_:)`` when `created` or `keyid` is missing, or when a parameter has another
    ///   type; ``MessageSignatureError/algorithm(_:)`` when `alg` is another algorithm.
    init(_ list: StructuredList) throws(MessageSignatureError) {
        guard let created = try Self.integer("created", list) else { throw .invalidParameter("created") }
        // Errors contain the identifier and the algorithm, so both are limited.
        guard let keyID = try Self.string("keyid", list), P256VerificationKey.isID(keyID) else { throw .invalidParameter("keyid") }
        self.created = created
        self.keyID = keyID
        expires = try Self.integer("expires", list)
        nonce = try Self.string("nonce", list)
        tag = try Self.string("tag", list)
        // The algorithm belongs to the key. The parameter is optional, and must agree with the key (section 3.2, step 6).
        if let name = try Self.string("alg", list), name != Self.algorithm {
            throw name.utf8.count <= 64 ? .algorithm(name) : .invalidParameter("alg")
        }
    }

    /// The parameters in the order in which they are written.
    var parameters: [StructuredParameter] {
        var parameters = [StructuredParameter("created", .integer(created))]
        if let expires { parameters.append(StructuredParameter("expires", .integer(expires))) }
        parameters.append(StructuredParameter("keyid", .string(keyID)))
        if let nonce { parameters.append(StructuredParameter("nonce", .string(nonce))) }
        parameters.append(StructuredParameter("alg", .string(Self.algorithm)))
        if let tag { parameters.append(StructuredParameter("tag", .string(tag))) }
        return parameters
    }

    private static func integer(_ name: String, _ list: StructuredList) throws(MessageSignatureError) -> Int64? {
        guard let value = list.parameter(name) else { return nil }
        guard case .integer(let integer) = value, integer >= 0 else { throw .invalidParameter(name) }
        return integer
    }

    private static func string(_ name: String, _ list: StructuredList) throws(MessageSignatureError) -> String? {
        guard let value = list.parameter(name) else { return nil }
        guard case .string(let text) = value else { throw .invalidParameter(name) }
        return text
    }
}

extension Timestamp {
    /// Creates a point in time from seconds since 1970; saturates on overflow.
    init(seconds: Int64) {
        self = Timestamp(milliseconds: 0).adding(seconds: seconds)
    }

    /// The whole seconds since 1970, rounded down.
    var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
