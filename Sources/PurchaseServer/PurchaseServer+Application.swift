public import Hummingbird
import Logging
import PurchaseModel
import PurchaseProof
public import ServiceLifecycle
import WireServer

extension PurchaseServer {
    /// The server as a service that listens once it runs.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: The port, or 0 for any that is free.
    ///   - isLocal: Whether only names of this machine are answered, and no pages of other addresses: for a server of one developer,
    ///     whose browser must not reach it through a name that somebody else points here.
    ///   - onServerRunning: Told the actual port once connections are accepted.
    ///   - addRoutes: Mounts further routes, such as the console's.
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
                await gate.watch(channel)
                await onServerRunning(channel.localAddress?.port ?? port)
            },
            logger: logger
        )
    }

    /// Every route of the server.
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
        TransactionController(verifier: verifier, catalog: catalog, storage: storage).addRoutes(to: router)
        NotificationController(verifier: verifier, storage: storage).addRoutes(to: router)
        ExplanationController(receipts: authority.verifier, signedData: verifier).addRoutes(to: router)
        CustomerController(storage: storage, clock: clock).addRoutes(to: router)
        ContentController(
            authority: authority,
            catalog: catalog,
            folder: folder,
            office: office,
            storage: storage,
            clock: clock
        ).addRoutes(to: router)
        addRoutes(router)
        router.refuseOtherMethods()
        return router
    }
}
