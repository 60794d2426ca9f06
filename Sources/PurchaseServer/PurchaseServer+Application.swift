public import Hummingbird
import Logging
import PurchaseModel
import PurchaseProof
public import ServiceLifecycle
import WireServer

extension PurchaseServer {
    /// Returns the server as a service, which listens while it runs.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: The port; 0 for any free port.
    ///   - isLocal: Whether the server refuses host names other than loopback names, and requests from pages of another origin. Use it
    ///     for a development server, so that a foreign domain name that resolves to this machine does not reach the server.
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
        return Application(
            router: router(gate, isLocal: isLocal, addRoutes),
            server: .http1(configuration: gate.channels()),
            configuration: ApplicationConfiguration(
                address: .hostname(hostname, port: port), serverName: "tillroll-server", availableConnectionsDelegate: gate.maximum),
            onServerRunning: { channel in
                await gate.pauseWhenOutOfDescriptors(channel)
                await onServerRunning(channel.localAddress?.port ?? port)
            },
            logger: logger
        )
    }

    /// Returns a router with all routes of the server.
    func router(
        _ gate: ConnectionGate? = nil, isLocal: Bool = false, _ addRoutes: (Router<ServerContext>) -> Void = { _ in }
    ) -> Router<ServerContext> {
        let verifier = SignedDataVerifier(
            roots: configuration.roots,
            revocation: revocation,
            bundleID: configuration.bundleID,
            environments: configuration.acceptedEnvironments
        )
        let authority = ReceiptAuthority(configuration, revocation: revocation, clock: clock, logger: logger)
        let catalog = Catalog(configuration.products)
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: WireErrorMiddleware())
        if let gate { router.add(middleware: gate.middleware()) }
        if isLocal { router.add(middleware: LoopbackMiddleware()) }
        router.get("health") { _, _ in Response(.ok, HealthReply()) }
        router.get("readyz") { [storage] _, _ in
            try await storage.checkWritable()
            return Response(.ok, HealthReply())
        }
        let (app, clock) = (configuration.bundleID, clock)
        let recorder = PurchaseRecorder(catalog: catalog, refundPolicy: configuration.refundPolicy, clock: clock)
        PurchaseController(verifier: verifier, app: app, catalog: catalog, storage: storage, recorder: recorder).addRoutes(to: router)
        NotificationController(verifier: verifier, app: app, storage: storage, recorder: recorder, clock: clock).addRoutes(to: router)
        ExplanationController(receipts: authority.verifier, signedData: verifier).addRoutes(to: router)
        CustomerController(
            app: app, storage: storage, ledger: LedgerService(app: app, storage: storage, clock: clock), clock: clock
        ).addRoutes(to: router)
        ContentController(
            authority: authority,
            catalog: catalog,
            folder: folder,
            office: office,
            app: app,
            storage: storage,
            recorder: recorder,
            clock: clock
        ).addRoutes(to: router)
        addRoutes(router)
        router.refuseOtherMethods()
        return router
    }
}
