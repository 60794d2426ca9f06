import NIOCore
import NIOPosix

/// Finds the ports on which another process listens.
enum TakenPorts {
    /// Returns the options whose ports are in use, such as `--port 7701`; all options if the ports have become free.
    static func find(among requested: [(option: String, port: Int)], on host: String) async -> String {
        var taken: [String] = []
        for (option, port) in requested where port != 0 {
            guard
                let channel = try? await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port).get()
            else {
                taken.append("\(option) \(port)")
                continue
            }
            try? await channel.close()
        }
        return (taken.isEmpty ? requested.map { "\($0.option) \($0.port)" } : taken).joined(separator: " or ")
    }
}
