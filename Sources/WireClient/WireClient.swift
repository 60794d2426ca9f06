import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
public import PurchaseModel

/// Calls the endpoints of one base address over HTTP.
public struct WireClient: Sendable {
    /// The most bytes of an answer that are read into memory.
    public static let answerLimit = 16 << 20

    /// Where the endpoints are, without a trailing slash: `http://127.0.0.1:8080`.
    public let baseURL: String
    private let timeoutSeconds: Int64

    /// Creates a client; no connection is made until the first call.
    ///
    /// - Parameter timeoutSeconds: How long to wait for the beginning of an answer; a body that stops coming ends the call by itself.
    public init(baseURL: String, timeoutSeconds: Int64 = 30) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.timeoutSeconds = timeoutSeconds
    }

    /// Calls an endpoint and returns its answer.
    ///
    /// - Parameters:
    ///   - body: The request; not sent with GET.
    ///   - parameters: What stands for the braces of the endpoint's path.
    ///   - token: A bearer token.
    public func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        parameters: [String: String] = [:],
        token: String? = nil
    ) async throws(WireClientError) -> Response {
        let (status, data) = try await exchange(endpoint, body, parameters: parameters, token: token)
        guard (200..<300).contains(status) else {
            guard let error = try? WireJSON.decode(WireError.self, from: data) else { throw .unintelligible(status: status) }
            throw .refused(status: status, error)
        }
        do {
            return try WireJSON.decode(Response.self, from: data)
        } catch {
            throw .unintelligible(status: status)
        }
    }

    private func exchange<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        parameters: [String: String],
        token: String?
    ) async throws(WireClientError) -> (status: Int, Data) {
        do {
            var request = HTTPClientRequest(url: baseURL + endpoint.path(parameters))
            request.method = HTTPMethod(rawValue: endpoint.method.rawValue)
            request.headers.add(name: "Accept", value: "application/json")
            if let token {
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
            }
            if endpoint.method == .post {
                request.headers.add(name: "Content-Type", value: "application/json")
                request.body = .bytes(ByteBuffer(data: try WireJSON.encode(body)))
            }
            let response = try await HTTPClient.wire.execute(request, timeout: .seconds(timeoutSeconds))
            return (Int(response.status.code), Data(buffer: try await response.body.collect(upTo: Self.answerLimit)))
        } catch {
            // Whatever broke on the way, the caller knows one thing: there is no answer.
            throw .unreachable
        }
    }
}
