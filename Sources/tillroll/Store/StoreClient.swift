import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOHTTP1
import PurchaseModel
import PurchaseProtocol
import WireClient

/// A client of one store, for a command.
///
/// An error becomes a message on standard error and an exit code: 1 if the store refuses the request, 2 if there is no valid response.
struct StoreClient: Sendable {
    /// The store is unreachable, or the response is not a store's; a later retry may succeed.
    static let unknown = ExitCode(2)
    /// The store refused the request.
    static let refused = ExitCode(1)

    /// The error code with which a store requires its token.
    private static let tokenMissing = "access.token-missing"

    /// The store's address.
    let address: HTTPURL
    private let token: String?

    init(_ address: HTTPURL, token: String?) {
        self.address = address
        self.token = token
    }

    /// The host that serves the store.
    var host: StoreClient {
        guard let range = address.base.range(of: "/stores/"), let host = HTTPURL(String(address.base[..<range.lowerBound])) else {
            return self
        }
        return StoreClient(host, token: token)
    }

    /// The store's name on its host; nil for the default store.
    var name: String? {
        address.base.range(of: "/stores/").map { String(address.base[$0.upperBound...]) }
    }

    private var wire: WireClient { WireClient(baseURL: address, timeoutSeconds: 120) }

    /// Calls an endpoint.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        do { return try await wire.call(endpoint, body, parameters: parameters, query: query, token: token) } catch { throw tell(error) }
    }

    /// Calls an endpoint without a request body.
    func call<Response>(
        _ endpoint: Endpoint<Empty, Response>, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        try await call(endpoint, Empty(), parameters, query: query)
    }

    /// Uploads a file and decodes the response.
    func send<Response: Decodable & Sendable>(
        _ method: HTTPMethod, _ content: WireContent, to path: String, query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        do { return try await wire.exchange(method, path, query: query, content, token: token) } catch {
            throw tell(error)
        }
    }

    /// Opens a response of any length for reading.
    func open(_ path: String, query: [String: String] = [:]) async throws(WireClientError) -> HTTPClientResponse {
        try await wire.send(.GET, path, query: query, token: token)
    }

    /// Reports an error on standard error, and returns its exit code.
    func tell(_ error: WireClientError) -> ExitCode {
        switch error {
        case .unreachable:
            StandardError.line(
                "Error: No store answers at \(address). Start one with `tillroll store up`, or say where it is with --store.")
            return Self.unknown
        case .unintelligible(let status):
            StandardError.line("Error: What answers at \(address) is no store (HTTP \(status)). Say where the store is with --store.")
            return Self.unknown
        case .refused(_, let refusal):
            StandardError.line("Error: \(TerminalText.safe("\(refusal)"))")
            if refusal.code == Self.tokenMissing { StandardError.line("`store up` printed it; give it with --token or TILLROLL_TOKEN.") }
            return error.isPassing ? Self.unknown : Self.refused
        }
    }
}
