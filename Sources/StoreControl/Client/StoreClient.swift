public import Foundation
import FoundationExtras
public import PurchaseModel
public import StoreProtocol
package import Wire
import WireClient

/// A client of the control API of one local store, for tests and tools.
///
/// The store is one that `tillroll store up` or ``StoreProcess`` started, or a store of a ``StoreHostClient``. Each method sends one
/// request unless its documentation says otherwise, and returns when the store has processed the request. A request that changes the store
/// also waits for one attempt to send the notifications that the change caused.
///
/// All methods throw ``StoreControlError``: `unreachable` without a response, and `refused` with a code if the store refuses the request.
/// The client opens no connection before the first request, and needs no end.
public struct StoreClient: Sendable {
    /// The address at which `tillroll store up` listens by default.
    public static let defaultAddress = "http://127.0.0.1:7701"

    /// The base address of the store, to which the client appends the paths of requests.
    public let url: HTTPURL
    let token: String?
    let timeoutSeconds: Int64

    /// Creates a client of a store.
    ///
    /// - Parameters:
    ///   - url: The address of the store, as `url` of its `StoreDescription`. Requests with an address that has a query throw
    ///     ``StoreControlError/invalidAddress(_:)``.
    ///   - token: The token that the store requires, as `tillroll store up` prints it; nil for none.
    ///   - timeoutSeconds: The number of seconds within which a response must arrive.
    public init(url: HTTPURL, token: String? = nil, timeoutSeconds: Int64 = 120) {
        self.url = url
        self.token = token
        self.timeoutSeconds = timeoutSeconds
    }

    /// Finds a running store, and checks that it responds.
    ///
    /// The address is in the environment variable `TILLROLL_STORE`, or else ``defaultAddress``. The token is in `TILLROLL_TOKEN`. The command
    /// `tillroll store env` prints both for a shell.
    ///
    /// - Parameter environment: The environment variables.
    /// - Returns: A client of the store.
    /// - Throws: ``StoreControlError/invalidAddress(_:)`` for a text that is not an address, or the error of the first request.
    public static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(StoreControlError) -> StoreClient {
        let address = environment["TILLROLL_STORE"].flatMap { $0.isEmpty ? nil : $0 } ?? defaultAddress
        guard let url = HTTPURL(address) else { throw .invalidAddress(address) }
        let client = StoreClient(url: url, token: environment["TILLROLL_TOKEN"].flatMap { $0.isEmpty ? nil : $0 })
        _ = try await client.description()
        return client
    }

    /// Reads the description of the store: its addresses for a developer's server, its root certificate, and its API key.
    ///
    /// - Returns: The description, with the root certificate and the API key as PEM.
    public func description() async throws(StoreControlError) -> StoreDescription {
        try await call(HostEndpoints.currentStore)
    }

    /// Exports the complete state of the store, including its private keys, as a SQLite database.
    ///
    /// ``StoreHostClient/importStore(_:named:isPersistent:)`` creates a store with the same state. The whole file is read into memory.
    ///
    /// - Returns: The bytes of the file.
    public func export() async throws(StoreControlError) -> Data {
        try await transfer("GET", HostEndpoints.exportPath)
    }

    /// A client of the host that serves the store.
    public var host: StoreHostClient {
        let base = url.base.range(of: "/stores/").map { String(url.base[..<$0.lowerBound]) }
        return StoreHostClient(url: base.flatMap { HTTPURL($0) } ?? url, token: token, timeoutSeconds: timeoutSeconds)
    }
}

extension StoreClient {
    /// The client that sends all requests.
    ///
    /// - Throws: ``StoreControlError/invalidAddress(_:)`` for an address with a query, to which no path can be appended.
    private var wire: WireClient {
        get throws(StoreControlError) {
            guard !url.hasQuery else { throw .invalidAddress(url.text) }
            return WireClient(baseURL: url, timeoutSeconds: timeoutSeconds)
        }
    }

    /// Calls an endpoint with a request body.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(StoreControlError) -> Response {
        let wire = try self.wire
        do { return try await wire.call(endpoint, body, parameters: parameters, query: query, token: token) } catch { throw failure(error) }
    }

    /// Calls an endpoint without a request body.
    func call<Response>(
        _ endpoint: Endpoint<Empty, Response>, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(StoreControlError) -> Response {
        try await call(endpoint, Empty(), parameters, query: query)
    }

    /// Sends bytes to a path, and returns the bytes of the response, which can have any length.
    func transfer(
        _ method: String, _ path: String, contentType: String? = nil, _ body: Data? = nil
    ) async throws(StoreControlError) -> Data {
        let bytes = try await open(method, path, contentType: contentType, body)
        do { return try await bytes.data() } catch { throw failure(.unreachable) }
    }

    /// Sends bytes to a path, and returns the bytes of the response before they are read.
    func open(
        _ method: String, _ path: String, contentType: String? = nil, _ body: Data? = nil
    ) async throws(StoreControlError) -> WireBytes {
        let wire = try self.wire
        do { return try await wire.bytes(method, path, token: token, contentType: contentType, body) } catch { throw failure(error) }
    }

    /// Returns the error of this module for an error of a request.
    package func failure(_ error: WireClientError) -> StoreControlError {
        switch error {
        case .unreachable: Task.isCancelled ? .canceled : .unreachable(url)
        case .refused(let status, let refusal): .refused(status: status, code: refusal.code, message: refusal.message)
        case .invalidResponse(let status): .invalidResponse(url, status: status)
        }
    }

    /// Checks that bytes are JSON before they become a part of a request.
    static func checkJSON(_ data: Data, _ name: String) throws(StoreControlError) {
        guard (try? WireJSON.decode(JSONValue.self, from: data)) != nil else { throw .invalidRequest("\(name): the bytes are not JSON") }
    }
}
