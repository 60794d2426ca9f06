import HTTPTypes
import MessageSignatures
import ServerProtocol

extension HTTPField.Name {
    static let customerToken = named(ServerHeader.customerToken)
    static let customer = named(ServerHeader.customer)
    static let customerDigest = named(ServerHeader.customerDigest)

    static let position = named(ServerHeader.position)

    /// The limit of the caller's requests, and what remains of it (draft-ietf-httpapi-ratelimit-headers).
    static let (rateLimitPolicy, rateLimit) = (named("RateLimit-Policy"), named("RateLimit"))
    /// The addresses of the client and of all proxies except the last proxy.
    static let forwardedFor = named("X-Forwarded-For")
    /// The nonce to which a signed response is bound.
    static let nonce = named(RequestNonce.fieldName)
    /// The digest of a response's content (RFC 9530).
    static let contentDigest = named(ContentDigest.fieldName)
    /// The digest of the whole file, also in a response with a part of the file (RFC 9530).
    static let reprDigest = named("Repr-Digest")
    /// The nginx location of the file that nginx sends in place of the response's body.
    static let xAccelRedirect = named("X-Accel-Redirect")
    /// The components and the parameters of a signature (RFC 9421).
    static let signatureInput = named("Signature-Input")
    /// The signature of a response (RFC 9421).
    static let signature = named("Signature")

    /// Returns a header name from a constant; the fallback is never used, because each constant is a token of RFC 9110.
    private static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .from }
}
