import NIOCore
import NIOPosix

/// Sends bytes as they are, where a client would send a request.
package enum RawClient {
    /// Sends to a port of this machine, and returns what comes back until `isEnough`, or until the other side hangs up.
    package static func send(
        _ text: String, to port: Int, until isEnough: @Sendable (String) -> Bool = { _ in false }
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var received = ""
            // Whoever is refused early is hung up on while still sending.
            do { try await outbound.write(ByteBuffer(string: text)) } catch is IOError {} catch is ChannelError {}
            do {
                for try await part in inbound {
                    received += String(buffer: part)
                    if isEnough(received) { break }
                }
            } catch is IOError {}
            return received
        }
    }
}
