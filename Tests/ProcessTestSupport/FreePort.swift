import NIOCore
import NIOPosix

/// A port of 127.0.0.1 that no process uses, for programs that can't choose one.
enum FreePort {
    /// Returns the number of a port that was free a moment ago.
    static func find() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }
}
