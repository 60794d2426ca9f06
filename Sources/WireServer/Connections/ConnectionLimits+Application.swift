public import Hummingbird
public import Logging

extension ConnectionLimits {
    /// Returns a server for browsers on this machine that enforces the limits.
    ///
    /// The server refuses requests whose host name is not a loopback name, and requests from pages of another origin, so that a foreign page
    /// in the user's browser can't use it (DNS rebinding). Its responses state an identifier of the request, and errors of routes are JSON.
    ///
    /// - Parameters:
    ///   - hostname: The address on which the server listens.
    ///   - port: The port; 0 for a free one.
    ///   - publicHost: A further host name that requests may have, because a proxy forwards them; nil for none.
    ///   - serverName: The value of the header `Server`; nil for none.
    ///   - logger: The log of the server.
    ///   - onServerRunning: A closure that receives the port as soon as the server listens.
    ///   - addRoutes: Adds the routes to the server's router.
    public func localApplication(
        hostname: String = "127.0.0.1", port: Int, publicHost: String? = nil, serverName: String? = nil, logger: Logger,
        onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        addRoutes: (Router<BasicRequestContext>) -> Void
    ) -> Application<RouterResponder<BasicRequestContext>> {
        let gate = ConnectionGate(self, logger: logger)
        let router = Router()
        router.add(middleware: RequestIDMiddleware())
        router.add(middleware: WireErrorMiddleware())
        router.add(middleware: gate.middleware())
        router.add(middleware: LoopbackMiddleware(publicHost: publicHost))
        addRoutes(router)
        return gate.application(
            of: router.buildResponder(), hostname: hostname, port: port, serverName: serverName, onServerRunning: onServerRunning)
    }
}
