package import Foundation
package import Hummingbird
package import HummingbirdTesting
package import LocalAppStore
package import OpenStoreKit
package import PurchaseIssuing
package import PurchaseModel
package import PurchaseProof
import PurchaseTestSupport

/// A local App Store in this process, and a connection to it.
///
/// Tests of devices share one store and are isolated by account: each test creates a new account. Tests of the store, and tests that
/// change the time, the faults or the catalog, which all accounts share, have a store for themselves.
package struct StoreHarness: StoreClient {
    /// The store.
    package let store: LocalAppStore
    /// The clock on which the store's time is based.
    package let clock: any WallClock
    package let transport: any StoreTransport
    package let verifier: SignedDataVerifier
    /// The store's base URL; only a store that listens can be reached there.
    package let url: HTTPURL
    /// The client of ``run(at:clock:storekit:secret:retries:timeout:over:makeAuthority:_:)``, for requests that ``transport`` can't send.
    package let client: (any TestClientProtocol)?

    private init(
        _ store: LocalAppStore, clock: any WallClock = SystemWallClock(), at url: HTTPURL, client: (any TestClientProtocol)? = nil
    ) throws {
        self.store = store
        self.clock = clock
        self.client = client
        self.url = url
        transport = if let client { TestClientTransport(client: client) } else { HTTPStoreTransport(storeURL: url) }
        let roots = try TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox])
        verifier = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
    }

    private static let running = Task { try await start() }

    /// The shared store, which the first access starts.
    package static var shared: StoreHarness {
        get async throws { try await running.value }
    }

    /// Starts a store in memory that listens on a loopback port until the process ends.
    ///
    /// - Parameter storekit: The contents of a `.storekit` file with the products; nil for the catalog of the sample app.
    package static func start(storekit: Data? = nil) async throws -> StoreHarness {
        let store = try await LocalAppStore(configuration: .test(storekit ?? SampleCatalog.storekit), logger: .silent)
        let url = try await serve { store.application(hostname: "127.0.0.1", port: 0, onServerRunning: $0) }
        return try StoreHarness(store, at: url)
    }

    /// Runs `body` with a store for which time passes only when `clock` moves or the store's time is advanced.
    @discardableResult
    package static func run<Result>(
        at location: DatabaseLocation = .memory,
        clock: any WallClock = ManualClock(),
        storekit: String = TestCatalog.storekit,
        secret: String? = nil,
        retries: NotificationRetries = .production,
        timeout: Duration? = nil,
        over setup: TestingSetup = .router,
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority = { _ in TestAuthority.shared.authority },
        _ body: @Sendable (StoreHarness) async throws -> Result
    ) async throws -> Result {
        var configuration = try LocalAppStoreConfiguration.test(Data(storekit.utf8), at: location)
        configuration.sharedSecret = secret
        configuration.notificationRetries = retries
        if let timeout { configuration.notificationTimeout = timeout }
        let store = try await LocalAppStore(configuration: configuration, clock: clock, logger: .silent, makeAuthority: makeAuthority)
        return try await store.application(hostname: "127.0.0.1", port: 0).test(setup) { client in
            try await body(StoreHarness(store, clock: clock, at: HTTPURL(loopbackPort: client.port ?? 0), client: client))
        }
    }

    /// Runs an application until the process ends, and returns its base URL.
    package static func serve<Application: ApplicationProtocol>(
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
}

extension LocalAppStoreConfiguration {
    /// The configuration of a store for the app of the samples.
    package static func test(
        _ storekit: Data = Data(TestCatalog.storekit.utf8), at location: DatabaseLocation = .memory
    ) throws -> LocalAppStoreConfiguration {
        var configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: try Catalog(storekit: storekit), database: location)
        // Many tests buy a consumable several times and finish the transactions later.
        configuration.restoresUnfinishedConsumables = false
        return configuration
    }
}
