import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import PurchaseTestSupport
import Synchronization
import Testing

@testable import WireServer

/// Tests of the log of limits that refuse clients.
@Suite(.timeLimit(.minutes(10))) struct LimitLogTests {
    @Test func `a limit is logged at once, and then once in a minute with the number of refusals`() {
        let lines = RecordingLog()
        let start = NIODeadline.now()
        let now = Mutex(start)
        let log = LimitLog(lines.logger) { now.withLock { $0 } }
        for _ in 1...45 { log.report("limits.connections-per-peer", peer: "192.0.2.1", reason: "connections.too-many") }
        log.report("limits.head-seconds", peer: "192.0.2.2", reason: "request.slow-head")
        #expect(lines.all.count == 2)
        now.withLock { $0 = start + .seconds(60) }
        log.report("limits.connections-per-peer", peer: "192.0.2.3", reason: "connections.too-many")
        let last = lines.all.last ?? ""
        #expect(lines.all.count == 3)
        for text in ["192.0.2.3", "limits.connections-per-peer", #""since-last-entry": 44"#] { #expect(last.contains(text), "\(last)") }
    }

    @Test func `a key with several entries in a minute has no more of them, and the next one counts the others`() {
        let start = NIODeadline.now()
        let now = Mutex(start)
        let log = LimitLog(.silent) { now.withLock { $0 } }
        #expect((1...5).map { _ in log.count("a", upTo: 3) } == [0, 0, 0, nil, nil])
        #expect(log.count("b", upTo: 3) == 0)
        now.withLock { $0 = start + .seconds(60) }
        #expect([log.count("a", upTo: 3), log.count("a", upTo: 3), log.count("b", upTo: 3)] == [2, 0, 0])
    }

    @Test func `connections that are refused are logged once with their address, and their responses have an identifier`() async throws {
        let lines = RecordingLog()
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
        let all = lines.all.filter { $0.hasPrefix("a limit refused a client") }
        #expect(all.count == 1, "\(all)")
        #expect(all.first?.contains("127.0.0.1") == true && all.first?.contains("connections.too-many") == true)
    }
    @Test func `bytes that are not a request are answered with an identifier, and logged with it once in a minute`() async throws {
        let log = RecordingLog()
        let gate = ConnectionGate(ConnectionLimits(), logger: log.logger)
        let application = Application(router: Router(), server: .http1(configuration: gate.channels()), logger: .silent)
        try await application.test(.live) { client in
            let port = try #require(client.port)
            var identifiers: [String] = []
            for _ in 1...3 {
                let answer = try await RawClient.send("BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", to: port)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
                let fields = answer.split(whereSeparator: \.isNewline).map { $0.lowercased().split(separator: " ").map(String.init) }
                identifiers.append(try #require(fields.first { $0.first == "tillroll-request-id:" }?.last, "\(answer)"))
            }
            #expect(Set(identifiers).count == 3)
            let lines = log.lines(.info).filter { $0.hasPrefix("bytes that are not an HTTP request") }
            #expect(lines.count == 1 && lines[0].contains(identifiers[0]) && lines[0].contains("127.0.0.1"), "\(lines)")
        }
    }
}
