import MessageSignatures
import PurchaseModel

func signed(
    _ response: HTTPResponseMessage, to request: HTTPRequestMessage, by signer: ResponseSigner, clock: some WallClock
) throws -> HTTPResponseMessage {
    // A client that sends no nonce expects no signature.
    guard let nonce = request.fields[RequestNonce.fieldName].flatMap({ RequestNonce($0) }) else { return response }
    return try signer.sign(response, to: request, nonce: nonce, at: clock.now)
}

func content(
    of url: HTTPURL, by verifier: ResponseVerifier, clock: some WallClock,
    send: (HTTPRequestMessage) async throws -> HTTPResponseMessage
) async throws -> [UInt8]? {
    let nonce = RequestNonce()
    guard let request = HTTPRequestMessage(method: "GET", url: url, fields: [RequestNonce.fieldName: nonce.rawValue]) else { return nil }
    let verified = try verifier.verify(try await send(request), to: request, nonce: nonce, at: clock.now)
    return verified.status == 200 ? verified.content : nil
}

func isEntitled(
    to product: ProductID, by stored: SignedLease, with verifier: LeaseVerifier, deviceKey: KeyThumbprint, clock: some WallClock
) -> Bool {
    let now = clock.now
    guard let lease = try? verifier.verify(stored, deviceKey: deviceKey, at: now) else { return false }
    return lease.payload.isEntitled(to: product.rawValue, at: now)
}
