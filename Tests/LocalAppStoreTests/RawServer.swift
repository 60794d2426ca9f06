import NIOCore
import NIOPosix

/// A server that reacts to all received data in one way.
enum RawServer: Sendable {
    case disconnects
    case sends(String)
    /// Sends a text and keeps the connection open.
    case sendsAndStalls(String)
    case unresponsive

    /// Listens on a free port while `body` runs, and passes the port to `body`.
    func listen<Result: Sendable>(_ body: @Sendable (Int) async throws -> Result) async throws -> Result {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in channel.pipeline.addHandler(Handler(behavior: self)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(channel.localAddress?.port ?? 0)) } catch { result = .failure(error) }
        try await channel.close()
        return try result.get()
    }

    private final class Handler: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let behavior: RawServer

        init(behavior: RawServer) {
            self.behavior = behavior
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch behavior {
            case .unresponsive: return
            case .disconnects: break
            case .sendsAndStalls(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                return
            case .sends(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
            context.close(promise: nil)
        }
    }
}
