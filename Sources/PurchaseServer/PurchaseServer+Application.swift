public import Hummingbird
import Logging
import PurchaseStorage
public import ServiceLifecycle
import WireServer

extension PurchaseServer {
    /// Returns the server as a service that accepts connections while it runs.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: The port; 0 for any free port.
    ///   - isLocal: Whether the server refuses host names other than loopback names, and requests from pages of another origin. A
    ///     development server sets `isLocal` to refuse requests to a foreign domain name that resolves to this machine.
    ///   - onServerRunning: Receives the actual port when the server accepts connections.
    ///   - addRoutes: Adds other routes to the router, such as the console's.
    public func application(
        hostname: String,
        port: Int,
        isLocal: Bool = false,
        onServerRunning: @escaping @Sendable (Int) async -> Void,
        addRoutes: (Router<ServerContext>) -> Void = { _ in }
    ) -> some ApplicationProtocol & Service {
        let gate = ConnectionGate(configuration.limits, logger: logger)
        return gate.application(
            of: router(gate, isLocal: isLocal, addRoutes).buildResponder(), hostname: hostname, port: port, serverName: "tillroll-server",
            onServerRunning: onServerRunning)
    }

    /// Returns an application that answers `GET /metrics` only, without authentication.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on, which only the scraper should reach.
    ///   - port: The port; 0 for any free port.
    ///   - onServerRunning: Receives the actual port when the application accepts connections.
    public func metricsApplication(
        hostname: String, port: Int, onServerRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol & Service {
        let gate = ConnectionGate(configuration.limits, logger: logger)
        let router = Router(options: .autoGenerateHeadEndpoints)
        let endpoint = metricsEndpoint
        router.get("/metrics") { _, _ in endpoint.response() }
        return gate.application(
            of: router.buildResponder(), hostname: hostname, port: port, serverName: "tillroll-server", onServerRunning: onServerRunning)
    }

    /// Reports the version of the program in the metrics.
    package func report(version: String) {
        resources.metrics.set(.information, to: 1, ["version": version])
    }

    private var metricsEndpoint: MetricsEndpoint { MetricsEndpoint(metrics: resources.metrics) { self.warnings } }

    /// The warnings that apply now: those of the configuration, and those about the App Store.
    var warnings: [OperatorWarning] { reminder.warnings + apps.all.compactMap { $0.appStore?.connection.warning } }

    /// Returns a router with all routes of the server.
    func router(
        _ gate: ConnectionGate? = nil, isLocal: Bool = false, _ addRoutes: (Router<ServerContext>) -> Void = { _ in }
    ) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestIDMiddleware())
        router.add(middleware: MetricsMiddleware(resources.metrics))
        router.add(middleware: WireErrorMiddleware())
        let limits = gate?.log ?? LimitLog(logger)
        router.add(middleware: gate?.middleware() ?? .unlimited)
        if isLocal { router.add(middleware: LoopbackMiddleware()) }
        if let token = configuration.metricsToken { router.add(middleware: MetricsTokenMiddleware(metricsEndpoint, token: token)) }
        router.add(
            middleware: CallerMiddleware(
                apps: apps, rates: configuration.requestRates, proxies: configuration.trustedProxies, clock: clock, limits: limits))
        HealthController(storage: storage, warnings: { self.warnings }, apps: apps).addRoutes(to: router)
        let notifications = AppStoreNotificationController(apps: apps, limits: limits, metrics: resources.metrics)
        notifications.addRoutes(to: router)
        PurchasedContentController(apps: apps).addDownloadRoutes(to: router)
        let verifyReceipt = VerifyReceiptCompatibilityController(
            apps: apps, server: configuration, revocation: resources.revocation, clock: clock, limits: limits)
        verifyReceipt.addRoutes(to: router)
        let keyed = router.group()
        if configuration.database.hasReplicas { keyed.add(middleware: ReadYourWritesMiddleware()) }
        keyed
            .add(middleware: RequiredCallerMiddleware())
            .add(middleware: SignedAnswerMiddleware(clock: transportClock))
            // Convert the endpoints' errors to responses inside the signing middleware, so that error responses are signed.
            .add(middleware: WireErrorMiddleware())
        PurchasedContentController(apps: apps).addRoutes(to: keyed)
        CustomerController().addRoutes(to: keyed)
        CatalogController().addRoutes(to: keyed)
        PurchaseController().addRoutes(to: keyed)
        EntitlementController().addRoutes(to: keyed)
        LedgerController().addRoutes(to: keyed)
        ConsentController().addRoutes(to: keyed)
        OfferController().addRoutes(to: keyed)
        TeamController().addRoutes(to: keyed)
        FeedController().addRoutes(to: keyed)
        WebhookController().addRoutes(to: keyed)
        LeaseController(lifetimeSeconds: configuration.leaseSeconds, clock: clock).addRoutes(to: keyed)
        ProofExplanationController().addRoutes(to: keyed)
        notifications.addKeyedRoutes(to: keyed)
        ReconciliationController().addRoutes(to: keyed)
        verifyReceipt.addKeyedRoutes(to: keyed)
        addRoutes(router)
        router.refuseOtherMethods()
        return router
    }
}
