public import PurchaseModel

/// Signs HTTP responses with ECDSA on P-256 (RFC 9421), bound to the requests that they answer.
///
/// ```swift
/// func signed(
///     _ response: HTTPResponseMessage, to request: HTTPRequestMessage, by signer: ResponseSigner, clock: some WallClock
/// ) throws -> HTTPResponseMessage {
///     // A client that sends no nonce expects no signature.
///     guard let nonce = request.fields[RequestNonce.fieldName].flatMap({ RequestNonce($0) }) else { return response }
///     return try signer.sign(response, to: request, nonce: nonce, at: clock.now)
/// }
/// ```
public struct ResponseSigner: Sendable {
    /// The tag of the signatures, which separates them from those of other applications (RFC 9421, section 7.2.7): `tillroll`.
    public static let tag = "tillroll"
    /// The label of the signature in the fields: `tillroll`.
    public static let label = "tillroll"

    private let key: P256SigningKey
    private let lifetime: Int64?

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - key: The server's private key.
    ///   - lifetime: The time in seconds after which a signature expires; nil for none. A verifier has a maximum age anyway.
    public init(key: P256SigningKey, lifetime: Int64? = nil) {
        self.key = key
        self.lifetime = lifetime
    }

    /// Signs a response, and returns it with the fields `Content-Digest`, `Signature-Input` and `Signature`.
    ///
    /// The digest is computed from the content and replaces an existing one. So are existing signatures.
    ///
    /// - Parameters:
    ///   - response: The response, with its final status, content and `Content-Type`.
    ///   - request: The request as it was received.
    ///   - nonce: The nonce of the request (``RequestNonce/fieldName``).
    ///   - components: The components that the signature covers, each of which the messages must have.
    ///   - now: The date of the signature, which is rounded down to seconds.
    /// - Throws: ``MessageSignatureError/unavailableComponent(_:)`` when a message lacks a component;
    ///   ``MessageSignatureError/repeatedComponent(_:)`` or ``MessageSignatureError/unsupportedComponent(_:)`` for wrong components;
    ///   ``MessageSignatureError/invalidParameter(_:)`` when `now` is before 1970 or after the year 9999;
    ///   ``MessageSignatureError/cannotSign``.
    public func sign(
        _ response: HTTPResponseMessage, to request: HTTPRequestMessage, nonce: RequestNonce,
        components: [SignatureComponent] = SignatureComponent.response, at now: Timestamp
    ) throws(MessageSignatureError) -> HTTPResponseMessage {
        guard DateRange.seconds.contains(now.seconds) else { throw .invalidParameter("created") }
        let expires = lifetime.map { now.adding(seconds: $0).seconds }
        guard expires.map(DateRange.seconds.contains) ?? true else { throw .invalidParameter("expires") }
        try components.checkCovered()
        let parameters = SignatureParameters(
            created: now.seconds, expires: expires, keyID: key.id, nonce: nonce.rawValue, tag: Self.tag)
        let list = StructuredList(items: components.map(\.item), parameters: parameters.parameters).serialized
        var signed = response
        signed.fields[ContentDigest.fieldName] = ContentDigest(of: response.content).fieldValue
        let base = try SignatureBase.text(of: components, list: list, signed, to: request)
        let signature: [UInt8]
        do { signature = try key.sign(Array(base.utf8)) } catch { throw .cannotSign }
        signed.fields[SignatureField.input] = "\(Self.label)=\(list)"
        signed.fields[SignatureField.signature] = "\(Self.label)=\(StructuredValue.bytes(signature).serialized)"
        return signed
    }
}

/// The names of the fields of signatures (RFC 9421, section 4).
enum SignatureField {
    static let input = "Signature-Input"
    static let signature = "Signature"
}

/// The dates that signatures and leases can state.
enum DateRange {
    /// The seconds from 1970 to the end of the year 9999, the last that RFC 3339 can represent.
    static let seconds: ClosedRange<Int64> = 0...253_402_300_799
}
