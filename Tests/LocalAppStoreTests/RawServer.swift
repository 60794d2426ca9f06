import NIOCore
import NIOPosix

/// A server that does one thing to each connection, whatever it is sent.
enum RawServer: Sendable {
    case hangsUp
    case says(String)
    /// Says something and does not hang up.
    case begins(String)
    case isSilent

    /// Listens on a free port while `body` runs, and gives it the port.
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
            case .isSilent: return
            case .hangsUp: break
            case .begins(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                return
            case .says(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
            context.close(promise: nil)
        }
    }
}
