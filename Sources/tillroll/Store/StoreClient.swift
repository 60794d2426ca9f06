import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOHTTP1
import PurchaseModel
import PurchaseProtocol
import WireClient

/// One store, called in the name of whoever typed a command.
///
/// What goes wrong becomes a sentence on standard error and an exit code: 1 when the store says no, 2 when nobody can say.
struct StoreClient: Sendable {
    /// Nobody answered, or not as a store does: asking again later may help.
    static let unknown = ExitCode(2)
    /// The store said no.
    static let refused = ExitCode(1)

    /// How a store says that it wants to be shown its token.
    private static let tokenMissing = "access.token-missing"

    /// The store's address.
    let address: HTTPURL
    private let token: String?

    init(_ address: HTTPURL, token: String?) {
        self.address = address
        self.token = token
    }

    /// The host that the store is one of.
    var host: StoreClient {
        guard let range = address.base.range(of: "/stores/"), let host = HTTPURL(String(address.base[..<range.lowerBound])) else {
            return self
        }
        return StoreClient(host, token: token)
    }

    /// The store's name at its host; nil for the default one.
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

    /// Calls an endpoint that needs to be told nothing.
    func call<Response>(
        _ endpoint: Endpoint<Empty, Response>, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        try await call(endpoint, Empty(), parameters, query: query)
    }

    /// Sends a file and reads the answer.
    func send<Response: Decodable & Sendable>(
        _ method: HTTPMethod, _ content: WireContent, to path: String, query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        do { return try await wire.exchange(method, path, query: query, content, token: token) } catch {
            throw tell(error)
        }
    }

    /// Begins to read an answer of any length.
    func open(_ path: String, query: [String: String] = [:]) async throws(WireClientError) -> HTTPClientResponse {
        try await wire.send(.GET, path, query: query, token: token)
    }

    /// Says what went wrong, and returns the exit code for it.
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
