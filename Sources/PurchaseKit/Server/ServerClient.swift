import Foundation
import FoundationExtras
import MessageSignatures
package import PurchaseModel
import ServerProtocol
package import Wire
package import WireClient

/// Calls endpoints of the developer's server, and returns only responses whose signature is verified, if the server signs them.
///
/// The signature of a response covers the request's method, path, query and content, and the digest of the customer token: an authentic
/// response to another request, or about another customer, is refused.
package struct ServerClient: Sendable {
    private let client: WireClient
    private let credentials: ServerCredentials
    private let trust: Trust
    private let clock: any WallClock

    /// Creates a client; no connection is made until the first call.
    ///
    /// If the verification keys of the credentials can't be read, no key is trusted, so every answer is refused.
    package init(serverURL: HTTPURL, credentials: ServerCredentials, clock: any WallClock = SystemWallClock()) {
        client = WireClient(baseURL: serverURL)
        self.credentials = credentials
        self.clock = clock
        guard let keys = credentials.verificationKeys else {
            trust = .anyAnswer
            return
        }
        let set = try? VerificationKeySet(jwks: [UInt8](keys))
        trust = set.map { .signedAnswers($0) } ?? .noAnswer
    }

    /// Which responses are accepted.
    private enum Trust: Sendable {
        case anyAnswer
        case signedAnswers(VerificationKeySet)
        case noAnswer
    }

    /// Calls an endpoint and returns its answer.
    ///
    /// - Throws: `WireClientError.invalidResponse` for an answer that the server did not sign for this request; the caller can repeat it.
    package func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(WireClientError) -> Response {
        switch trust {
        case .anyAnswer:
            return try await client.call(
                endpoint, body, parameters: parameters, query: query, headers: credentials.headers, token: credentials.publishableKey)
        case .noAnswer:
            throw .invalidResponse(status: 0)
        case .signedAnswers(let keys):
            return try await call(endpoint, body, endpoint.path(parameters) + WireClient.text(of: query), keys)
        }
    }

    private func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ path: String, _ keys: VerificationKeySet
    ) async throws(WireClientError) -> Response {
        let nonce = RequestNonce()
        var headers = credentials.headers
        headers["Authorization"] = "Bearer \(credentials.publishableKey)"
        headers["Accept"] = "application/json"
        headers[RequestNonce.fieldName] = nonce.rawValue
        var content: Data?
        // A signed answer to a request with content states the digest of the content that the server received.
        var fields = HTTPMessageFields()
        var components = SignatureComponent.response
        if endpoint.method == .post {
            guard let data = try? WireJSON.encode(body) else { throw .unreachable }
            headers["Content-Type"] = "application/json"
            content = data
            let digest = ContentDigest(of: data).fieldValue
            headers[ContentDigest.fieldName] = digest
            fields[ContentDigest.fieldName] = digest
            components = SignatureComponent.responseToContent
        }
        components.append(.field(ServerHeader.customerDigest))
        guard let url = HTTPURL(client.baseURL.base + path),
            let request = HTTPRequestMessage(method: endpoint.method.rawValue, url: url, fields: fields)
        else { throw .unreachable }
        let answer = try await client.answer(endpoint.method.rawValue, path, headers, content)
        let message = HTTPResponseMessage(status: answer.status, fields: HTTPMessageFields(answer.headers), content: [UInt8](answer.body))
        let verified: VerifiedResponse
        let verifier = ResponseVerifier(keys: keys, requiredComponents: components)
        do { verified = try verifier.verify(message, to: request, nonce: nonce, at: clock.now) } catch {
            throw .invalidResponse(status: answer.status)
        }
        guard verified.fields[ServerHeader.customerDigest] == ContentDigest(of: Data(credentials.customerToken.utf8)).fieldValue else {
            throw .invalidResponse(status: answer.status)
        }
        let data = Data(verified.content)
        guard (200..<300).contains(verified.status) else {
            guard let error = try? WireJSON.decode(WireError.self, from: data) else { throw .invalidResponse(status: verified.status) }
            throw .refused(status: verified.status, error)
        }
        do { return try WireJSON.decode(Response.self, from: data) } catch { throw .invalidResponse(status: verified.status) }
    }
}
