import Hummingbird
import Logging
import NIOCore
import NIOPosix
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import WireServer

/// Tests of the log of limits that refuse clients.
@Suite(.timeLimit(.minutes(1))) struct LimitLogTests {
    /// The lines of a logger.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

        private struct Handler: LogHandler {
            let lines: Lines
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.warning

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                lines.all.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
            }
        }
    }

    @Test func `a limit is logged at once, and then once in a minute with the number of refusals`() {
        let lines = Lines()
        let start = NIODeadline.now()
        let now = Mutex(start)
        let log = LimitLog(lines.logger) { now.withLock { $0 } }
        for _ in 1...45 { log.report("limits.connections-per-peer", peer: "192.0.2.1", reason: "connections.too-many") }
        log.report("limits.head-seconds", peer: "192.0.2.2", reason: "request.slow-head")
        #expect(lines.all.withLock { $0.count } == 2)
        now.withLock { $0 = start + .seconds(60) }
        log.report("limits.connections-per-peer", peer: "192.0.2.3", reason: "connections.too-many")
        let last = lines.all.withLock { $0.last ?? "" }
        #expect(lines.all.withLock { $0.count } == 3)
        for text in ["192.0.2.3", "limits.connections-per-peer", #""since-last-entry": 44"#] { #expect(last.contains(text), "\(last)") }
    }

    @Test func `connections that are refused are logged once with their address, and their responses have an identifier`() async throws {
        let lines = Lines()
        var limits = ConnectionLimits()
        limits.connectionsPerPeer = 1
        let gate = ConnectionGate(limits, logger: lines.logger)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: Router(), server: .http1(configuration: gate.channels()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let serverPort = try #require(await ports.first { _ in true })
            func open() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
                try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: serverPort) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                        }
                    }
            }
            // The first connection has been counted when it has answered.
            try await open().executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
                var parts = inbound.makeAsyncIterator()
                _ = try await parts.next()
                for _ in 1...3 {
                    var answer = ""
                    try await open().executeThenClose { inbound, _ in
                        for try await part in inbound { answer += String(buffer: part) }
                    }
                    #expect(answer.hasPrefix("HTTP/1.1 503") && answer.lowercased().contains("tillroll-request-id: "), "\(answer)")
                }
            }
            group.cancelAll()
        }
        let all = lines.all.withLock { $0 }.filter { $0.hasPrefix("a limit refused a client") }
        #expect(all.count == 1, "\(all)")
        #expect(all.first?.contains("127.0.0.1") == true && all.first?.contains("connections.too-many") == true)
    }
}
