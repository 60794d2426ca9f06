import NIOCore
import NIOPosix
public import PurchaseModel
import Synchronization

/// A relay on a loopback port between an app and a server, which can interrupt a connection.
///
/// The relay forwards all bytes unchanged in both directions. After a call of ``breakOnce(after:)``, the relay closes the first connection
/// on which the server has sent the given number of bytes.
public final class BreakingRelay: Sendable {
    /// The relay's base address, which the app uses instead of the server's address.
    public let url: HTTPURL
    private let state: State

    private init(port: Int, state: State) {
        url = HTTPURL(loopbackPort: port)
        self.state = state
    }

    /// Opens a relay to a port of this machine, runs `body`, and closes the relay.
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

    /// Closes the next connection on which the server has sent a number of bytes; other connections are not affected.
    ///
    /// - Parameter bytes: The minimum number of bytes from the server before the connection is closed.
    public func breakOnce(after bytes: Int) {
        state.limit.withLock { $0 = bytes }
    }

    final class State: Sendable {
        let limit = Mutex<Int?>(nil)

        /// Returns whether to close a connection on which the server has sent `count` bytes; returns true once for each limit.
        func cuts(at count: Int) -> Bool {
            limit.withLock { limit in
                guard let armed = limit, count >= armed else { return false }
                limit = nil
                return true
            }
        }
    }

    /// Forwards the bytes of one side of a connection to the other side, and closes the other side when the first side ends.
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
