import Foundation
import FoundationExtras
import MessageSignatures
package import PurchaseModel
import ServerProtocol
package import Wire

/// Calls endpoints of the developer's server, and returns only responses with a verified signature, if the server signs responses.
///
/// The signature of a response covers the request's method, path, query and content, and the digest of the customer token: an authentic
/// response to another request, or about another customer, is refused.
package struct ServerClient: Sendable {
    /// The maximum size of a response in bytes.
    private static let maximumResponseSize = 16 << 20
    /// The deadline for a complete response.
    private static let deadline = Duration.seconds(30)

    private let serverURL: HTTPURL
    private let credentials: ServerCredentials
    private let trust: Trust
    private let clock: any WallClock
    var transport: any HTTPTransport = SystemTransport.shared
    var observe: @Sendable (ServerExchange) -> Void = { _ in }

    /// Creates a client; no connection is made until the first call.
    ///
    /// If the verification keys of the credentials can't be read, no key is trusted, so every answer is refused.
    package init(serverURL: HTTPURL, credentials: ServerCredentials, clock: any WallClock = SystemWallClock()) {
        self.serverURL = serverURL
        self.credentials = credentials
        self.clock = clock
        guard let keys = credentials.verificationKeys else {
            trust = .anyAnswer
            return
        }
        let set = try? VerificationKeySet(jwks: [UInt8](keys))
        trust = set.map { .signedAnswers($0) } ?? .noAnswer
    }

    /// The responses to accept, according to the verification keys.
    private enum Trust: Sendable {
        case anyAnswer
        case signedAnswers(VerificationKeySet)
        case noAnswer
    }

    /// Calls an endpoint and returns its answer.
    ///
    /// - Throws: `WireClientError.invalidResponse` for an answer that the server did not sign for this request; the caller can repeat the
    ///   call.
    package func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(WireClientError) -> Response {
        var content: Data?
        if endpoint.method == .post {
            guard let data = try? WireJSON.encode(body) else { throw .unreachable }
            content = data
        }
        let (method, path) = (endpoint.method.rawValue, endpoint.path(parameters) + PathTemplate.query(query))
        switch trust {
        case .anyAnswer:
            let answer = try await answer(method, path, [:], content)
            return try decode(answer.body, status: answer.status)
        case .noAnswer:
            throw .invalidResponse(status: 0)
        case .signedAnswers(let keys):
            let answer = try await signedAnswer(method, path, content, keys)
            return try decode(Data(answer.content), status: answer.status)
        }
    }

    /// Sends a request, and returns the response if its signature is valid for the request.
    private func signedAnswer(
        _ method: String, _ path: String, _ content: Data?, _ keys: VerificationKeySet
    ) async throws(WireClientError) -> VerifiedResponse {
        let nonce = RequestNonce()
        var headers = [RequestNonce.fieldName: nonce.rawValue]
        // Require the digest of the content in a signed answer, so that the server signs the content that it received.
        var fields = HTTPMessageFields()
        var components = SignatureComponent.response
        if let content {
            let digest = ContentDigest(of: content).fieldValue
            headers[ContentDigest.fieldName] = digest
            fields[ContentDigest.fieldName] = digest
            components = SignatureComponent.responseToContent
        }
        components.append(.field(ServerHeader.customerDigest))
        guard let url = HTTPURL(serverURL.base + path), let request = HTTPRequestMessage(method: method, url: url, fields: fields) else {
            throw .unreachable
        }
        let answer = try await answer(method, path, headers, content)
        let message = HTTPResponseMessage(status: answer.status, fields: HTTPMessageFields(answer.headers), content: [UInt8](answer.body))
        let verified: VerifiedResponse
        let verifier = ResponseVerifier(keys: keys, requiredComponents: components)
        do { verified = try verifier.verify(message, to: request, nonce: nonce, at: clock.now) } catch {
            throw .invalidResponse(status: answer.status)
        }
        guard verified.fields[ServerHeader.customerDigest] == ContentDigest(of: Data(credentials.customerToken.utf8)).fieldValue else {
            throw .invalidResponse(status: answer.status)
        }
        return verified
    }

    /// Sends a request with the credentials, and returns the complete response.
    private func answer(
        _ method: String, _ path: String, _ fields: [String: String], _ content: Data?
    ) async throws(WireClientError) -> (status: Int, headers: [(name: String, value: String)], body: Data) {
        var headers = credentials.headers.merging(fields) { _, new in new }
        headers["Authorization"] = "Bearer \(credentials.publishableKey)"
        headers["Accept"] = "application/json"
        if content != nil { headers["Content-Type"] = "application/json" }
        let request = TransportRequest(method: method, url: serverURL.base + path, headers: headers, body: content)
        do {
            let answer = try await withDeadline(Self.deadline) {
                let response = try await transport.open(request)
                return (response.status, response.headers, try await response.collect(upTo: Self.maximumResponseSize))
            }
            observe(ServerExchange(method: method, path: path, request: content, status: answer.0, response: answer.2))
            return answer
        } catch {
            observe(ServerExchange(method: method, path: path, request: content, status: nil, response: nil))
            // Throw the same error for all transport errors, because each means that no response arrived.
            throw .unreachable
        }
    }

    private func decode<Response: Decodable>(_ data: Data, status: Int) throws(WireClientError) -> Response {
        guard (200..<300).contains(status) else {
            guard let error = try? WireJSON.decode(WireError.self, from: data) else { throw .invalidResponse(status: status) }
            throw .refused(status: status, error)
        }
        do { return try WireJSON.decode(Response.self, from: data) } catch { throw .invalidResponse(status: status) }
    }
}
