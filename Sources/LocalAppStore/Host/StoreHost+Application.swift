public import Hummingbird
import HummingbirdCore
public import PurchaseModel
public import ServiceLifecycle
import WireServer

extension StoreHost {
    /// The complete HTTP API, as a service that listens until it is shut down.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` for this machine only.
    ///   - port: The port; 0 for any free port.
    ///   - token: The token for the control API, the host's stores and the console. With nil, only clients on this machine have
    ///     access, and no client has access if the host listens to other machines.
    ///   - page: The redirect target for browsers that request `/`, such as `console/`; nil for no redirect.
    ///   - limits: The limits of clients' time and connections.
    ///   - onServerRunning: A closure that receives the port when the host listens.
    ///   - addRoutes: A closure that adds routes, such as the console's; the routes exist in each store.
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
                await gate.pauseWhenOutOfDescriptors(channel)
                let port = channel.localAddress?.port ?? port
                // A host that listens on all addresses is also reachable on the loopback address.
                let name = ["0.0.0.0", "::"].contains(hostname) ? "127.0.0.1" : hostname
                setBaseURL("http://\(name.contains(":") ? "[\(name)]" : name):\(port)")
                await onServerRunning(port)
            },
            logger: logger
        )
    }

    /// Whether a name or address is a loopback address, for which no token is necessary.
    public static func isLoopback(_ hostname: String) -> Bool { Request.isLoopback(hostname) }

    /// The configuration of connections, with and without TLS.
    ///
    /// A connection that sends nothing, or that does not complete a request, is closed after a time-out; a connection that waits for a
    /// response stays open.
    static func channels(_ gate: ConnectionGate) -> HTTP1Channel.Configuration {
        gate.channels(largestBody: StoreFile.sizeLimit) { [WrongDateHandler()] }
    }

    /// The responder for all requests, over HTTP connections and in-process.
    func responder(
        _ access: ControlAccess, page: String? = nil, gate: ConnectionGate? = nil, _ addRoutes: (Router<StoreRequestContext>) -> Void
    ) -> StoreResponder {
        StoreResponder(host: self, router: router(access, page: page, gate: gate, addRoutes).buildResponder())
    }

    /// All routes, without the prefixes of store and environment.
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
