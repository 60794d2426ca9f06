import AsyncHTTPClient
public import Foundation
public import Hummingbird
public import LocalAppStore
public import Logging
import MonkeyShop
import NIOHTTP1
public import PurchaseModel
package import PurchaseProtocol
import WireClient

/// A local App Store in memory that listens on a loopback port.
///
/// Tests of a process share one store and are isolated by account: each test creates a new account.
public struct StoreHarness: Sendable {
    /// The store.
    public let store: LocalAppStore
    /// The store's base URL.
    public let url: HTTPURL

    private static let running = Task { try await start() }

    /// The shared store, which the first access starts.
    public static var shared: StoreHarness {
        get async throws { try await running.value }
    }

    /// Starts a separate store, for tests that change the time, the faults or the catalog, which all accounts share.
    public static func start(catalog storekit: Data? = nil) async throws -> StoreHarness {
        let store = try await LocalAppStore(
            configuration: LocalAppStoreConfiguration(
                bundleID: MonkeyShopSample.bundleID,
                catalog: Catalog(storekit: storekit ?? MonkeyShopSample.storekit),
                database: .memory
            ),
            logger: .silent
        )
        let url = try await serve { store.application(hostname: "127.0.0.1", port: 0, onServerRunning: $0) }
        return StoreHarness(store: store, url: url)
    }

    /// Runs an application until the process ends, and returns its base URL.
    public static func serve<Application: ApplicationProtocol>(
        _ make: (@escaping @Sendable (Int) async -> Void) -> Application
    ) async throws -> HTTPURL {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = make { port in
            continuation.yield(port)
            continuation.finish()
        }
        Task {
            defer { continuation.finish() }
            try await application.run()
        }
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return HTTPURL(loopbackPort: port)
    }

    /// Creates a new account.
    public func createAccount(askToBuyEnabled: Bool = false) async throws -> AccountID {
        let account = AccountID("\(UUID().uuidString.lowercased())@example.com")
        _ = try await control(
            ControlEndpoints.createAccount, CreateAccountRequest(account: account, password: "ladder", askToBuyEnabled: askToBuyEnabled))
        return account
    }

    /// Calls an endpoint of the store's control API.
    package func control<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        _ parameters: [String: String] = [:]
    ) async throws -> Response {
        try await WireClient(baseURL: url).call(endpoint, body, parameters: parameters)
    }

    /// Uploads bytes to a path of the store's control API.
    public func upload(_ data: Data, _ path: String) async throws {
        let content = WireContent(type: "application/octet-stream", body: .bytes(data))
        _ = try await WireClient(baseURL: url).send(.PUT, path, content)
    }

    /// The charges and refunds of an account, oldest first.
    package func charges(_ account: AccountID) async throws -> [Charge] {
        try await control(ControlEndpoints.charges, Empty(), ["account": account.rawValue]).charges
    }

    /// The products of an account's pending Ask to Buy payments.
    public func pendingApprovals(of account: AccountID) async throws -> [ProductID] {
        try await control(ControlEndpoints.approvals, Empty()).pending.filter { $0.account == account }.map(\.productID)
    }

    /// Approves or declines all pending Ask to Buy payments of an account.
    public func decide(_ account: AccountID, approve: Bool) async throws {
        for pending in try await control(ControlEndpoints.approvals, Empty()).pending where pending.account == account {
            let path = ["payment": pending.payment.rawValue]
            _ = try await control(ControlEndpoints.decideApproval, DecisionRequest(approve: approve), path)
        }
    }
}

extension Logger {
    /// A logger without output.
    public static let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}
