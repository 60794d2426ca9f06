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

/// A true local store that listens on a loopback port, in memory, one for all tests of a process.
///
/// Tests do not meet in it: each opens an account of its own.
public struct StoreHarness: Sendable {
    /// The store.
    public let store: LocalAppStore
    /// Its base address.
    public let url: HTTPURL

    private static let running = Task { try await started() }

    /// The store, started by whoever asks first.
    public static var shared: StoreHarness {
        get async throws { try await running.value }
    }

    /// A store of its own, for tests that change what all accounts share: time, faults and catalog.
    public static func started(selling storekit: Data? = nil) async throws -> StoreHarness {
        let store = try await LocalAppStore(
            configuration: LocalAppStoreConfiguration(
                bundleID: MonkeyShopSample.bundleID,
                catalog: Catalog(storekit: storekit ?? MonkeyShopSample.storekit),
                database: .memory
            ),
            logger: .silent
        )
        let url = try await listening { store.application(hostname: "127.0.0.1", port: 0, onServerRunning: $0) }
        return StoreHarness(store: store, url: url)
    }

    /// Runs an application until the process ends; its base address.
    public static func listening<Application: ApplicationProtocol>(
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

    /// Opens an account that no other test has.
    public func openAccount(asksToBuy: Bool = false) async throws -> AccountID {
        let account = AccountID("\(UUID().uuidString.lowercased())@example.com")
        _ = try await control(ControlEndpoints.openAccount, OpenAccountRequest(account: account, password: "ladder", asksToBuy: asksToBuy))
        return account
    }

    /// Calls one of the store's controls.
    package func control<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        _ parameters: [String: String] = [:]
    ) async throws -> Response {
        try await WireClient(baseURL: url).call(endpoint, body, parameters: parameters)
    }

    /// Puts bytes at one of the store's controls.
    public func put(_ data: Data, _ path: String) async throws {
        let content = WireContent(type: "application/octet-stream", body: .bytes(data))
        _ = try await WireClient(baseURL: url).send(.PUT, path, content)
    }

    /// What an account was charged.
    package func charges(_ account: AccountID) async throws -> [Charge] {
        try await control(ControlEndpoints.charges, Empty(), ["account": account.rawValue]).charges
    }

    /// What an account waits for a parent with.
    public func waiting(of account: AccountID) async throws -> [ProductID] {
        try await control(ControlEndpoints.approvals, Empty()).pending.filter { $0.account == account }.map(\.productID)
    }

    /// Has a parent decide on every payment of an account that waits.
    public func decide(_ account: AccountID, approve: Bool) async throws {
        for pending in try await control(ControlEndpoints.approvals, Empty()).pending where pending.account == account {
            let path = ["payment": pending.payment.rawValue]
            _ = try await control(ControlEndpoints.decide, DecisionRequest(approve: approve), path)
        }
    }
}

extension Logger {
    /// A logger that says nothing.
    public static let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}
