import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import MessageSignatures

/// Keys, messages and leases of the tests.
enum Sample {
    static let body = Array(#"{"state":"active"}"#.utf8)

    static func key(_ id: String = "2025-01") throws -> P256SigningKey { try P256SigningKey(newWithID: id) }

    static func keys(_ keys: P256SigningKey...) throws -> VerificationKeySet { try VerificationKeySet(keys.map(\.verificationKey)) }

    static func request(_ method: String = "GET", _ target: String = "/v1/access?product=book") throws -> HTTPRequestMessage {
        try #require(HTTPRequestMessage(method: method, target: target))
    }

    static func response(_ status: Int = 200, _ content: [UInt8] = body) -> HTTPResponseMessage {
        HTTPResponseMessage(status: status, fields: ["Content-Type": "application/json", "Server": "Tillroll"], content: content)
    }

    static func nonce(_ seed: UInt64 = 1) -> RequestNonce {
        var random = SeededRandom(seed: seed)
        return RequestNonce(using: &random)
    }
}

/// A key, a request with its nonce, and the signed response to it.
struct Exchange {
    let key: P256SigningKey
    var request: HTTPRequestMessage
    var nonce = Sample.nonce()
    var response: HTTPResponseMessage
    var now = Timestamp.testStart

    init(
        lifetime: Int64? = nil, key: P256SigningKey? = nil, _ response: HTTPResponseMessage = Sample.response(),
        components: [SignatureComponent] = SignatureComponent.response
    ) throws {
        self.key = try key ?? Sample.key()
        request = try Sample.request()
        self.response = try ResponseSigner(key: self.key, lifetime: lifetime).sign(
            response, to: request, nonce: nonce, components: components, at: now)
    }

    func verify(_ verifier: ResponseVerifier? = nil) throws -> VerifiedResponse {
        let verifier = try verifier ?? ResponseVerifier(keys: Sample.keys(key))
        return try verifier.verify(response, to: request, nonce: nonce, at: now)
    }

    /// Replaces a text in a field of the response.
    mutating func edit(_ field: String, _ old: String, _ new: String) throws {
        let value = try #require(response.fields[field])
        try #require(value.contains(old))
        response.fields[field] = value.replacing(old, with: new)
    }
}

/// Base64url of texts and bytes.
enum Base64URLText {
    static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

    static func encode(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }
}
