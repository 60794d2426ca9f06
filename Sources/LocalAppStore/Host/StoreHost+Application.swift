public import Hummingbird
import HummingbirdCore
public import ServiceLifecycle
public import WireServer

extension StoreHost {
    /// Creates an HTTP server for all stores of the host, as a service that runs until it is shut down.
    ///
    /// - Parameters:
    ///   - hostname: The address to listen on; `127.0.0.1` accepts clients on this machine only.
    ///   - port: The port; 0 for any free port.
    ///   - token: The token that clients need for the control API, the host's stores and the console. With nil, clients need no token on a
    ///     loopback address, and no client has access on any other address.
    ///   - page: The path to which browsers that request `/` are redirected, such as `console/`; nil for no redirect.
    ///   - limits: The maximum number of connections, and the time-outs for their requests and responses.
    ///   - onServerRunning: A closure that receives the port as soon as the server listens.
    ///   - addRoutes: A closure that adds routes, such as the console's, to each store.
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
        return gate.application(
            of: responder(ControlAccess(token: token, hostname: hostname), page: page, gate: gate, addRoutes), hostname: hostname,
            port: port,
            serverName: "LocalAppStore", server: .http1(configuration: Self.channels(gate)),
            onServerRunning: { [self] port in
                // An address that means all interfaces is not usable in a URL, so the loopback address takes its place.
                let name = ["0.0.0.0", "::"].contains(hostname) ? "127.0.0.1" : hostname
                setBaseURL("http://\(name.contains(":") ? "[\(name)]" : name):\(port)")
                await onServerRunning(port)
            })
    }

    /// Returns whether a host name or address is a loopback address, for which clients need no token.
    public static func isLoopback(_ hostname: String) -> Bool { Request.isLoopback(hostname) }

    /// Returns the configuration of HTTP connections, which plain HTTP and TLS share.
    ///
    /// A connection on which no complete request arrives in time is closed; a connection that waits for a response stays open.
    static func channels(_ gate: ConnectionGate) -> HTTP1Channel.Configuration {
        gate.channels(largestBody: StoreFile.sizeLimit) { [WrongDateHandler()] }
    }

    /// Creates the responder for all requests to the host, both over HTTP connections and in-process.
    func responder(
        _ access: ControlAccess, page: String? = nil, gate: ConnectionGate? = nil, _ addRoutes: (Router<StoreRequestContext>) -> Void
    ) -> StoreResponder {
        StoreResponder(host: self, router: router(access, page: page, gate: gate, addRoutes).buildResponder())
    }

    /// Creates the router with all routes of a store and of the host; paths have no prefix for the store or the environment.
    func router(
        _ access: ControlAccess, page: String? = nil, gate: ConnectionGate? = nil, _ addRoutes: (Router<StoreRequestContext>) -> Void
    ) -> Router<StoreRequestContext> {
        let router = Router(context: StoreRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: RequestIDMiddleware())
        router.add(middleware: WireErrorMiddleware())
        router.add(middleware: gate?.middleware() ?? .unlimited)
        router.add(middleware: ControlAccessMiddleware(access: access))
        router.add(middleware: ServerAPIErrorMiddleware())
        router.add(middleware: RequestBodyMiddleware())
        router.add(middleware: CatchUpMiddleware())
        router.add(middleware: FaultMiddleware())
        HostController(host: self, page: page).addRoutes(to: router)
        SessionController(access: access).addRoutes(to: router)
        AppController().addRoutes(to: router)
        AccountController().addRoutes(to: router)
        CheckoutController().addRoutes(to: router)
        TransactionController().addRoutes(to: router)
        ReceiptController().addRoutes(to: router)
        SubscriptionController().addRoutes(to: router)
        SeatController().addRoutes(to: router)
        RefundController().addRoutes(to: router)
        ClockController().addRoutes(to: router)
        NotificationController().addRoutes(to: router)
        FaultController().addRoutes(to: router)
        EventController().addRoutes(to: router)
        RequestController().addRoutes(to: router)
        ExplanationController().addRoutes(to: router)
        SearchController().addRoutes(to: router)
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
