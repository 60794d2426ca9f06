import NIOCore
import NIOPosix
package import PurchaseModel
import Synchronization

/// A connection between an app and a server that breaks on demand: a relay of bytes on a loopback port.
///
/// The relay is independent of HTTP. An armed relay cuts the first connection over which the given number of bytes has come back from the
/// server.
package final class BreakingRelay: Sendable {
    /// The relay's base address, which replaces the server's.
    package let url: HTTPURL
    private let state: State

    private init(port: Int, state: State) {
        url = HTTPURL(loopbackPort: port)
        self.state = state
    }

    /// Opens a relay to a port, and closes the relay after `body`.
    static func with<Result: Sendable>(upstreamPort: Int, body: (BreakingRelay) async throws -> Result) async throws -> Result {
        let state = State()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { inbound in
                ClientBootstrap(group: inbound.eventLoop).connect(host: "127.0.0.1", port: upstreamPort).flatMapThrowing { outbound in
                    try outbound.pipeline.syncOperations.addHandler(ForwardingHandler(to: inbound, counting: state))
                    try inbound.pipeline.syncOperations.addHandler(ForwardingHandler(to: outbound, counting: nil))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(BreakingRelay(port: channel.localAddress?.port ?? 0, state: state))
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Cuts the next connection over which `bytes` bytes come back.
    package func breakOnce(after bytes: Int) {
        state.limit.withLock { $0 = bytes }
    }

    final class State: Sendable {
        let limit = Mutex<Int?>(nil)

        /// Whether to cut a connection that has transferred `count` bytes; checked until one connection is cut.
        func cuts(at count: Int) -> Bool {
            limit.withLock { limit in
                guard let armed = limit, count >= armed else { return false }
                limit = nil
                return true
            }
        }
    }

    /// Forwards bytes and the end of input to the other side.
    private final class ForwardingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let state: State?
        private var count = 0

        init(to other: any Channel, counting state: State?) {
            self.other = other
            self.state = state
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            count += buffer.readableBytes
            other.writeAndFlush(buffer, promise: nil)
            if state?.cuts(at: count) == true {
                other.close(promise: nil)
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            other.close(promise: nil)
            context.fireChannelInactive()
        }
    }
}
