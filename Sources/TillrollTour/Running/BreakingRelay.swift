import NIOCore
import NIOPosix
package import PurchaseModel
import Synchronization

/// A line between an app and a server that breaks on demand: a relay of bytes on a loopback port.
///
/// It knows nothing of HTTP. Armed, it cuts the first connection over which so many bytes have come back from the server.
package final class BreakingRelay: Sendable {
    /// The base address to use instead of the server's.
    package let url: HTTPURL
    private let state: State

    private init(port: Int, state: State) {
        url = HTTPURL(loopbackPort: port)
        self.state = state
    }

    /// Opens a relay to a port, and closes it when `body` has ended.
    static func with<Result: Sendable>(upstreamPort: Int, body: (BreakingRelay) async throws -> Result) async throws -> Result {
        let state = State()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { inbound in
                ClientBootstrap(group: inbound.eventLoop).connect(host: "127.0.0.1", port: upstreamPort).flatMapThrowing { outbound in
                    try outbound.pipeline.syncOperations.addHandler(PassOn(to: inbound, counting: state))
                    try inbound.pipeline.syncOperations.addHandler(PassOn(to: outbound, counting: nil))
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

    /// Cuts the next connection over which `bytes` bytes have come back.
    package func breakOnce(after bytes: Int) {
        state.limit.withLock { $0 = bytes }
    }

    final class State: Sendable {
        let limit = Mutex<Int?>(nil)

        /// Whether a connection that has brought `count` bytes is to be cut; it is asked until one was.
        func cuts(at count: Int) -> Bool {
            limit.withLock { limit in
                guard let armed = limit, count >= armed else { return false }
                limit = nil
                return true
            }
        }
    }

    /// Passes bytes on to the other side, and its end as well.
    private final class PassOn: ChannelInboundHandler {
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
