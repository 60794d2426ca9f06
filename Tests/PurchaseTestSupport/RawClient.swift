import NIOCore
import NIOPosix

/// A TCP client that sends text unchanged.
package enum RawClient {
    /// Sends text to a local port, and returns the response until `isEnough` returns true or the server closes the connection.
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
            // A server that refuses the request early closes the connection during the write.
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

    /// Sends text to a local port, and reads the response until the server closes the connection; returns the number of bytes.
    ///
    /// `report` receives the number of bytes after each part. Reading pauses until it returns.
    package static func receive(
        _ text: String, from port: Int, report: @Sendable (Int) async throws -> Void
    ) async throws -> Int {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var received = 0
            try await outbound.write(ByteBuffer(string: text))
            do {
                for try await part in inbound {
                    received += part.readableBytes
                    try await report(received)
                }
            } catch is IOError {}
            return received
        }
    }
}
