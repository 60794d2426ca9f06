package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
package import PurchaseModel
import Synchronization

/// Enforces the limits of all connections of one server; see ``ConnectionLimits``.
///
/// A server uses all parts: ``channels(largestBody:_:)`` for each connection, ``maximum`` and ``pauseWhenOutOfDescriptors(_:)`` for the
/// listening channel, and ``middleware()`` before its routes.
package final class ConnectionGate: Sendable {
    /// The enforced limits.
    package let limits: ConnectionLimits
    let bodies: BodyBudget
    let peers: PeerCount
    private let logger: Logger

    /// Creates the gate of one server.
    package init(_ limits: ConnectionLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        bodies = BodyBudget(limits.bodyBytes)
        peers = PeerCount(limits.connectionsPerPeer)
    }

    /// The HTTP channel configuration, which enforces the limits.
    ///
    /// - Parameters:
    ///   - largestBody: The maximum size in bytes of any body that the server reads.
    ///   - further: The server's own handlers, which follow the handlers that enforce the limits.
    package func channels(
        largestBody: Int = defaultBodyLimit, _ further: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] }
    ) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionHandler(self) as any RemovableChannelHandler] + further() + [
                ContinueHandler(limit: largestBody)
            ])
    }

    /// The limit on the number of open connections.
    package var maximum: any AvailableConnectionsDelegate { MaximumAvailableConnections(limits.connections, logger: logger) }

    /// Pauses a listening channel while no file descriptors are left.
    package func pauseWhenOutOfDescriptors(_ channel: any Channel) async {
        let logger = logger
        // The handler precedes NIO's own handler, which does not pass such errors on.
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger), position: .first)
        }.get()
    }

    /// The middleware that limits the memory for request bodies.
    package func middleware<Context: RequestContext>() -> BodyBudgetMiddleware<Context> {
        BodyBudgetMiddleware(budget: bodies)
    }
}
