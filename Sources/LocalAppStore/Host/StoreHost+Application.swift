public import Hummingbird
import HummingbirdCore
public import PurchaseModel
public import ServiceLifecycle
import WireServer

extension StoreHost {
    /// The whole HTTP surface, as a service that listens until it is shut down.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: 0 for any free one.
    ///   - token: What people and tests have to show to use the control API, the host's stores and the console. Nil for none:
    ///     then only this machine can use them, and nobody where the host listens to other machines.
    ///   - page: Where browsers that ask for `/` are sent, such as `console/`; nil for nowhere.
    ///   - limits: How long clients may take, and how much of the store they may hold.
    ///   - onServerRunning: Is told the port when the host listens.
    ///   - addRoutes: Mounts further routes, such as the console's; they are there for each store.
    public func application(
        hostname: String,
        port: Int,
        token: String? = nil,
        page: String? = nil,
        limits: ConnectionLimits = .development,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<StoreRequestContext>) -> Void = { _ in }
    ) -> some ApplicationProtocol & Service {
        let gate = ConnectionGate(limits, logger: logger)
        return Application(
            responder: responder(ControlAccess(token: token, hostname: hostname), page: page, gate: gate, addRoutes),
            server: .http1(configuration: Self.channels(gate)),
            configuration: ApplicationConfiguration(
                address: .hostname(hostname, port: port), serverName: "LocalAppStore", availableConnectionsDelegate: gate.maximum),
            onServerRunning: { [self] channel in
                await gate.watch(channel)
                let port = channel.localAddress?.port ?? port
                // Whoever listens everywhere is reached on this machine, too.
                let name = ["0.0.0.0", "::"].contains(hostname) ? "127.0.0.1" : hostname
                isReached(at: "http://\(name.contains(":") ? "[\(name)]" : name):\(port)")
                await onServerRunning(port)
            },
            logger: logger
        )
    }

    /// Whether a name or address means this machine only, so that no token is needed there.
    public static func isLoopback(_ hostname: String) -> Bool { Request.isLoopback(hostname) }

    /// How connections are set up, with and without TLS.
    ///
    /// One that sends nothing, or no more of a request that it began, is closed after a while; who waits for an answer is not.
    static func channels(_ gate: ConnectionGate) -> HTTP1Channel.Configuration {
        gate.channels(largestBody: StoreFile.sizeLimit) { [WrongDateHandler()] }
    }

    /// What answers, whatever the request came by.
    func responder(
        _ access: ControlAccess, page: String? = nil, gate: ConnectionGate? = nil, _ addRoutes: (Router<StoreRequestContext>) -> Void
    ) -> StoreResponder {
        StoreResponder(host: self, router: router(access, page: page, gate: gate, addRoutes).buildResponder())
    }

    /// Every route, as it is without the prefixes of store and environment.
    func router(
        _ access: ControlAccess, page: String? = nil, gate: ConnectionGate? = nil, _ addRoutes: (Router<StoreRequestContext>) -> Void
    ) -> Router<StoreRequestContext> {
        let router = Router(context: StoreRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: WireErrorMiddleware())
        if let gate { router.add(middleware: gate.middleware()) }
        router.add(middleware: ControlAccessMiddleware(access: access))
        router.add(middleware: ServerAPIErrorMiddleware())
        router.add(middleware: CatchUpMiddleware())
        router.add(middleware: FaultMiddleware())
        HostController(host: self, page: page).addRoutes(to: router)
        SessionController(access: access).addRoutes(to: router)
        DeviceController().addRoutes(to: router)
        ControlController().addRoutes(to: router)
        NotificationController().addRoutes(to: router)
        FaultController().addRoutes(to: router)
        EventController().addRoutes(to: router)
        OCSPController().addRoutes(to: router)
        ExportController(host: self).addRoutes(to: router)
        ContentController().addRoutes(to: router)
        VerifyReceiptController().addRoutes(to: router)
        ServerAPIController().addRoutes(to: router)
        addRoutes(router)
        router.refuseOtherMethods()
        return router
    }
}
