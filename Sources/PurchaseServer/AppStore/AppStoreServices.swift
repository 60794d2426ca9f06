import AppStoreServerAPI
import Logging
import PurchaseModel
import Synchronization

/// The services of an app that send requests to the App Store Server API.
package struct AppStoreServices: Sendable {
    let connection: AppStoreConnection
    package let reconciliation: ReconciliationService
    let requests: AppStoreRequestSender
    let teamChecks: TeamCheckService

    /// Creates the services of an app; nil for an app without a connection to the App Store Server API.
    init?(
        _ app: AppConfiguration, of server: ServerResources, _ connection: AppStoreConnection?, _ catalog: CatalogService,
        _ notifications: NotificationReceiver, _ verifiers: AppVerifiers, _ teams: TeamKeeper
    ) {
        guard let connection else { return nil }
        self.connection = connection
        reconciliation = ReconciliationService(
            connection, notifications: notifications, signedData: verifiers.answeredData, teams: teams, logger: server.logger)
        requests = AppStoreRequestSender(app, of: server, connection, catalog)
        teamChecks = TeamCheckService(keeper: teams, timer: server.timer)
        // After an outage, request the notifications that the server refused, and repeat the failed look-ups.
        for outages in [connection.outages, server.databaseOutages] { outages.whenRecovered(wake: notifications.wakeup) }
    }
}

/// The connection of an app to the App Store Server API.
struct AppStoreConnection: Sendable {
    let client: AppStoreServerAPIClient
    let environment: AppEnvironment
    /// The client that looks up identifiers from App Review and TestFlight in the sandbox; nil for no look-ups in the sandbox.
    let sandbox: AppStoreServerAPIClient?
    /// Detects the end of an outage of the App Store Server API.
    let outages = OutageMonitor()
    let metrics: ServerMetrics
    private let keyMonitor: AppStoreKeyMonitor
    private let refusedKey: OperatorWarning

    /// Creates the connection of an app; nil for an app without a key of the App Store Server API.
    ///
    /// - Throws: ``ConfigurationError/appStoreServerAPI(reason:)`` for an invalid key or URL.
    init?(_ app: AppConfiguration, of server: ServerResources) throws(ConfigurationError) {
        guard let key = app.appStoreServerAPI else { return nil }
        let refusedKey = OperatorWarning(refusedKey: key.keyID, of: app.bundleID)
        let keyMonitor = AppStoreKeyMonitor(server.appStore) { [logger = server.logger] in
            logger.warning("\(refusedKey.message)", metadata: ["app": "\(refusedKey.app)"])
        }
        func client(in environment: AppEnvironment) throws(ConfigurationError) -> AppStoreServerAPIClient {
            try key.client(of: app.bundleID, in: environment, over: keyMonitor, clock: server.transportClock, timer: server.timer)
        }
        metrics = server.metrics
        self.refusedKey = refusedKey
        self.keyMonitor = keyMonitor
        environment = server.configuration.environment
        self.client = try client(in: environment)
        // Create no sandbox client for a configured base URL, because the URL serves one environment.
        sandbox = environment == .production && key.baseURL == nil ? try client(in: .sandbox) : nil
    }

    /// The warning while the App Store refuses the key; nil for an accepted key.
    var warning: OperatorWarning? { keyMonitor.isRefused ? refusedKey : nil }
}

extension OperatorWarning {
    fileprivate init(refusedKey keyID: String, of app: BundleID) {
        self.init(
            code: "app-store.key-refused", app: app,
            message: """
                The App Store refuses the key \(keyID) of \(app) (status 401), so that renewals and refunds can be missing. Check \
                app-store-server-api.issuer-id, app-store-server-api.key-id and app-store-server-api.private-key-file, and the clock of this \
                machine.
                """)
    }
}

/// Sends requests to the App Store Server API, and detects a refused API key.
///
/// The App Store answers each request with a wrong key with status 401. A wrong server clock causes one response with status 401; the
/// client then corrects the clock skew and repeats the request. Two consecutive responses with status 401 mean that the key is refused.
final class AppStoreKeyMonitor: ServerAPITransport {
    private let transport: any ServerAPITransport
    private let onRefusal: @Sendable () -> Void
    /// The number of consecutive responses with status 401, capped at one more than ``limit``.
    private let refusals = Mutex(0)
    /// The number of consecutive responses with status 401 after which the key counts as refused.
    private static let limit = 2

    /// Creates a monitor of the requests that a transport sends.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - onRefusal: A closure that the monitor calls when the key begins to count as refused.
    init(_ transport: any ServerAPITransport, onRefusal: @escaping @Sendable () -> Void) {
        self.transport = transport
        self.onRefusal = onRefusal
    }

    /// Whether the App Store refused the key in the latest responses.
    var isRefused: Bool { refusals.withLock { $0 >= Self.limit } }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let response = try await transport.send(request)
        // Ignore a status of 500 or more: an error of the App Store does not show whether the key is valid.
        guard response.status < 500 else { return response }
        let count = refusals.withLock { refusals in
            refusals = response.status == 401 ? min(refusals + 1, Self.limit + 1) : 0
            return refusals
        }
        if count == Self.limit { onRefusal() }
        return response
    }
}
