package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
import Synchronization
import Wire

/// Enforces the limits of all connections of one server; see ``ConnectionLimits``.
///
/// ``application(of:hostname:port:serverName:server:onServerRunning:)`` is the only way to a listening server, so that none lacks a
/// limit: `make lint` refuses another one. A router also needs ``middleware()`` before its routes.
package final class ConnectionGate: Sendable {
    /// The limits that the gate enforces.
    package let limits: ConnectionLimits
    let bodies: BodyBudget
    let peers: PeerCount
    private let logger: Logger
    /// The log of refusals by limits.
    package let log: LimitLog

    /// Creates the gate of one server.
    package init(_ limits: ConnectionLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        let log = LimitLog(logger)
        self.log = log
        bodies = BodyBudget(limits.bodyBytes) {
            log.report("limits.body-bytes", peer: nil, reason: BodyRefusal.memoryExhausted.wireError.code)
        }
        peers = PeerCount(limits.connectionsPerPeer)
    }

    /// Returns an HTTP channel configuration that enforces the limits of each connection.
    ///
    /// - Parameters:
    ///   - largestBody: The maximum size in bytes of any body that the server reads.
    ///   - further: Returns the server's own channel handlers, which follow the handler that enforces the limits.
    package func channels(
        largestBody: Int = defaultBodyLimit, _ further: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] }
    ) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionHandler(self) as any RemovableChannelHandler] + further() + [
                ContinueHandler(limit: largestBody)
            ])
    }

    /// Returns a server that enforces all limits of the gate, and pauses while no file descriptors are left for new connections.
    ///
    /// - Parameters:
    ///   - responder: Answers the requests.
    ///   - server: The protocols of each connection, with ``channels(largestBody:_:)``; nil for HTTP without TLS.
    ///   - onServerRunning: A closure that receives the port as soon as the server listens.
    package func application<Responder: HTTPResponder>(
        of responder: Responder, hostname: String, port: Int, serverName: String? = nil, server: HTTPServerBuilder? = nil,
        onServerRunning: @escaping @Sendable (Int) async -> Void
    ) -> Application<Responder> {
        Application(
            responder: responder, server: server ?? .http1(configuration: channels()),
            configuration: ApplicationConfiguration(
                address: .hostname(hostname, port: port), serverName: serverName,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)),
            onServerRunning: { [self] channel in
                await pauseWhenOutOfDescriptors(channel)
                await onServerRunning(channel.localAddress?.port ?? port)
            },
            logger: logger)
    }

    /// Makes a listening channel pause while no file descriptors are left for new connections.
    private func pauseWhenOutOfDescriptors(_ channel: any Channel) async {
        let logger = logger
        // The handler precedes NIO's own handler, which does not pass errors of `accept` to later handlers.
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger), position: .first)
        }.get()
    }

    /// Returns the middleware that limits the memory for request bodies.
    package func middleware<Context: RequestContext>() -> BodyBudgetMiddleware<Context> {
        BodyBudgetMiddleware(budget: bodies)
    }
}
