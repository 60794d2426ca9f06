public import PurchaseModel

/// Verifies signed HTTP responses (RFC 9421).
///
/// Send a new nonce with each request, and use nothing of the response but its verified parts:
///
/// ```swift
/// func content(
///     of url: HTTPURL, by verifier: ResponseVerifier, clock: some WallClock,
///     send: (HTTPRequestMessage) async throws -> HTTPResponseMessage
/// ) async throws -> [UInt8]? {
///     let nonce = RequestNonce()
///     guard let request = HTTPRequestMessage(method: "GET", url: url, fields: [RequestNonce.fieldName: nonce.rawValue]) else { return nil }
///     let verified = try verifier.verify(try await send(request), to: request, nonce: nonce, at: clock.now)
///     return verified.status == 200 ? verified.content : nil
/// }
/// ```
public struct ResponseVerifier: Sendable {
    /// The maximum number of signatures with the tag `tillroll` in a response.
    ///
    /// A server that changes its key can sign with both keys.
    public static let maximumSignatures = 4

    /// The components that a signature must cover.
    public let requiredComponents: [SignatureComponent]
    private let keys: VerificationKeySet
    private let maximumAge: Int64
    private let clockSkew: Int64

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - keys: The server's public keys.
    ///   - requiredComponents: The components that a signature must cover. The status and the digest of the content are always required.
    ///   - maximumAge: The maximum age of a response in seconds.
    ///   - clockSkew: The tolerated difference between the clocks of the server and of this device, in seconds.
    public init(
        keys: VerificationKeySet, requiredComponents: [SignatureComponent] = SignatureComponent.response, maximumAge: Int64 = 300,
        clockSkew: Int64 = 60
    ) {
        self.keys = keys
        self.requiredComponents =
            [.status, .field(ContentDigest.fieldName)].filter { !requiredComponents.contains($0) } + requiredComponents
        self.maximumAge = max(0, maximumAge)
        self.clockSkew = max(0, clockSkew)
    }

    /// Verifies that a response is the server's answer to a request, and returns what its signature covers.
    ///
    /// Signatures with other tags are ignored. Of several signatures, one that verifies suffices.
    ///
    /// - Parameters:
    ///   - response: The response as it was received, with its content before decompression.
    ///   - request: The request as it was sent.
    ///   - nonce: The nonce that was sent with the request.
    ///   - now: The current time.
    /// - Throws: The reason for which the first signature by a known key is refused, or the reason why there is none.
    public func verify(
        _ response: HTTPResponseMessage, to request: HTTPRequestMessage, nonce: RequestNonce, at now: Timestamp
    ) throws(MessageSignatureError) -> VerifiedResponse {
        let signatures = try MessageSignature.read(response.fields, tag: ResponseSigner.tag)
        guard (1...Self.maximumSignatures).contains(signatures.count) else { throw .noSignature }
        var failure = MessageSignatureError.noSignature
        for signature in signatures {
            do throws(MessageSignatureError) {
                return try verify(signature, response, to: request, nonce, now)
            } catch {
                switch failure {
                case .noSignature, .unknownKey: failure = error
                default: break
                }
            }
        }
        throw failure
    }

    /// Verifies one signature.
    ///
    /// The order of the steps is that of trust: dates and nonce are compared after the signature.
    private func verify(
        _ signature: MessageSignature, _ response: HTTPResponseMessage, to request: HTTPRequestMessage, _ nonce: RequestNonce,
        _ now: Timestamp
    ) throws(MessageSignatureError) -> VerifiedResponse {
        let parameters = try SignatureParameters(signature.list)
        guard let key = keys[parameters.keyID] else { throw .unknownKey(parameters.keyID) }
        let covered = try [SignatureComponent](signature.list)
        for component in requiredComponents where !covered.contains(component) { throw .notCovered(component) }
        try signature.verify(covered, response, to: request, with: key)
        guard parameters.nonce == nonce.rawValue else { throw .nonce }
        try checkDates(parameters, now)
        try checkContent(response)
        return VerifiedResponse(response, covered, parameters)
    }

    private func checkDates(_ parameters: SignatureParameters, _ now: Timestamp) throws(MessageSignatureError) {
        let created = Timestamp(seconds: parameters.created)
        guard created <= now.adding(seconds: clockSkew) else { throw .createdInFuture(created) }
        guard now <= created.adding(seconds: maximumAge).adding(seconds: clockSkew) else { throw .tooOld(created) }
        if let expires = parameters.expires.map({ Timestamp(seconds: $0) }) {
            guard now <= expires.adding(seconds: clockSkew) else { throw .expired(expires) }
        }
    }

    private func checkContent(_ response: HTTPResponseMessage) throws(MessageSignatureError) {
        guard let field = response.fields[ContentDigest.fieldName] else { throw .notCovered(.field(ContentDigest.fieldName)) }
        do { try ContentDigest(fieldValue: field).verify(response.content) } catch { throw .content(error) }
    }
}

/// A response whose signature was verified.
///
/// Only a ``ResponseVerifier`` creates values of this type.
public struct VerifiedResponse: Hashable, Sendable {
    /// The status code.
    public let status: Int
    /// The header fields that the signature covers.
    ///
    /// Others could have been changed, and are omitted.
    public let fields: HTTPMessageFields
    /// The content, as it was transferred.
    public let content: [UInt8]
    /// The date of the signature, in whole seconds.
    public let created: Timestamp
    /// The identifier of the key that signed the response.
    public let keyID: String

    init(_ response: HTTPResponseMessage, _ covered: [SignatureComponent], _ parameters: SignatureParameters) {
        status = response.status
        content = response.content
        created = Timestamp(seconds: parameters.created)
        keyID = parameters.keyID
        fields = HTTPMessageFields(
            covered.filter { !$0.isOfRequest }.compactMap { component in
                response.fields[component.name].map { (name: component.name, value: $0) }
            })
    }
}
