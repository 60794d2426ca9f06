import Foundation
import NIOCore
import NIOPosix
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of slow clients and many connections with the built `tillroll-server`.
@Suite(.timeLimit(.minutes(10)), .serialized) struct SlowClientTests {
    private static let host = "Host: 127.0.0.1\r\n"
    private static let health = "GET /health HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"

    /// Runs `body` with a server that has the given `limits`, and expects the server to exit with code 0.
    private func withServer(
        _ limits: String, products: String = RunningServer.products, openFiles: Int? = nil,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try Data(#"{"limits":{\#(limits)}}"#.utf8).write(to: folder.file("limits.json"))
            let options = ["--configuration-file", folder.file("limits.json").path]
            let server = try await RunningServer.start(options, products: products, openFiles: openFiles, in: folder)
            do { try await body(server) } catch {
                _ = await server.process.terminate()
                throw error
            }
            #expect(await server.process.terminate() == 0)
        }
    }

    /// Opens a connection and sends `text`.
    private func open(_ text: String, _ server: RunningServer, isReading: Bool = true) async throws -> any Channel {
        try await open(text, on: server.port, isReading: isReading)
    }

    private func open(_ text: String, on port: Int, isReading: Bool = true) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: isReading)
            .connect(host: "127.0.0.1", port: port).get()
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        return channel
    }

    /// Opens a connection, waits for one response, and keeps the connection open.
    private func openServed(_ server: RunningServer) async throws -> any Channel {
        let answered = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FirstRead(answered)) }
            }
            .connect(host: "127.0.0.1", port: server.port).get()
        channel.writeAndFlush(ByteBuffer(string: "GET /health HTTP/1.1\r\n\(Self.host)\r\n"), promise: nil)
        try await answered.futureResult.get()
        return channel
    }

    /// Sends each text, and then reads until the received text is enough or the server closes the connection.
    ///
    /// - Parameter then: A closure that runs before the client closes the connection.
    private func exchange(
        _ turns: [(text: String, isEnough: (String) -> Bool)], with server: RunningServer,
        then: (_ port: Int) async throws -> Void = { _ in }
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let port = try #require(channel.channel.localAddress?.port)
        return try await channel.executeThenClose { inbound, outbound in
            var (received, parts) = ("", inbound.makeAsyncIterator())
            for (text, isEnough) in turns {
                // A write fails if the server has closed the connection; the response can still be read.
                try? await outbound.write(ByteBuffer(string: text))
                while !isEnough(received), let part = try await parts.next() { received += String(buffer: part) }
            }
            try await then(port)
            return received
        }
    }

    /// Whether the server answers one of ten requests.
    ///
    /// On a busy machine a request can exceed an idle limit of a fraction of a second.
    private func isServed(_ server: RunningServer) async throws -> Bool {
        for _ in 0..<10 where try await RawClient.send(Self.health, to: server.port).hasPrefix("HTTP/1.1 200 ") { return true }
        return false
    }

    @Test(arguments: [
        ("", ""), ("GET /hea", "HTTP/1.1 408 "), ("GET /health HTTP/1.1\r\nHost: 127", "HTTP/1.1 408 "),
        ("GET /health HTTP/1.1\r\n\(host)\r\n", "HTTP/1.1 200 "),
        ("POST /v1/notifications HTTP/1.1\r\n\(host)Content-Length: 100\r\n\r\n{", "HTTP/1.1 408 "),
        ("POST /nowhere HTTP/1.1\r\n\(host)Content-Length: 100\r\n\r\n{", "HTTP/1.1 404 "),
    ])
    func `idle connections and incomplete requests end after their time limit`(_ text: String, _ answer: String) async throws {
        try await withServer(#""idle-seconds":0.3,"head-seconds":0.3,"stall-seconds":0.3"#) { server in
            let received = try await RawClient.send(text, to: server.port)
            #expect(received.hasPrefix(answer) && received.isEmpty == answer.isEmpty, "\(received)")
            #expect(try await isServed(server))
        }
    }

    @Test(arguments: [
        ("POST /nowhere HTTP/1.1\r\n\(host)Connection: close\r\nContent-Length: 1000000\r\n\r\n{", "HTTP/1.1 404 "),
        ("POST /v1/notifications HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 400 "),
        (health + health, "HTTP/1.1 200 "),
    ])
    func `the server closes a connection after the last response, even if the client sends more`(_ text: String, _ answer: String)
        async throws
    {
        try await withServer(#""stall-seconds":0.3"#) { server in
            // More bytes than the server buffers.
            let more = String(repeating: "x", count: 900_000)
            let received = try await exchange([(text, { _ in false }), (more, { _ in true })], with: server) { port in
                try await eventually {
                    #expect(try await isServed(server))
                    return try !server.process.hasConnection(on: server.port, from: port)
                }
            }
            #expect(received.hasPrefix(answer), "\(received)")
        }
    }

    @Test func `a body that is sent one byte at a time is refused with 408`() async throws {
        try await withServer(#""stall-seconds":0.5,"bytes-per-second":1000"#) { server in
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            let head = "POST /v1/notifications HTTP/1.1\r\n\(Self.host)Content-Length: 100000\r\n\r\n"
            let answer = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head))
                let trickle = channel.channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { _ in
                    channel.channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
                }
                defer { trickle.cancel() }
                var answer = ""
                for try await part in inbound where answer.isEmpty { answer += String(buffer: part) }
                return answer
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("request.slow-body"), "\(answer)")
        }
    }

    @Test func `stalled bodies use no more memory than the limit for bodies`() async throws {
        try await withServer(#""body-bytes":16777216"#) { server in
            #expect(try await isServed(server))
            let before = try server.process.memory
            let body = String(repeating: "x", count: 4_000_000)
            let key = "Authorization: Bearer \(server.key)\r\n"
            let head = "POST /v1/purchases HTTP/1.1\r\n\(Self.host)\(key)Content-Length: 4000001\r\n\r\n"
            let stalled = try await (0..<60).asyncMap { _ in try await open(head, server) }
            for channel in stalled { try await channel.writeAndFlush(ByteBuffer(string: body)) }
            let refused = try await RawClient.send(head + body, to: server.port) { $0.contains("body.memory-exhausted") }
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("Retry-After: 1\r\n"), "\(refused.prefix(300))")
            let growth = try server.process.memory - before
            #expect(growth < 120 << 20, "\(growth >> 20) MB")
            for channel in stalled { try await channel.close() }
            #expect(try await isServed(server))
        }
    }

    @Test func `a client with too many connections gets status 503`() async throws {
        try await withServer(#""connections-per-peer":3"#) { server in
            let idle = try await (0..<3).asyncMap { _ in try await openServed(server) }
            // The client sends nothing, because closing a socket with unread bytes would discard the response.
            let answer = try await RawClient.send("", to: server.port)
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 1\r\n"), "\(answer)")
            #expect(answer.contains("connections.too-many"), "\(answer)")
            for channel in idle { try? await channel.close() }
            try await eventually { try await RawClient.send(Self.health, to: server.port).hasPrefix("HTTP/1.1 200 ") }
        }
    }

    @Test func `connections over the limit wait until another connection closes`() async throws {
        try await withServer(#""connections":2"#) { server in
            let idle = try await (0..<2).asyncMap { _ in try await openServed(server) }
            let start = ContinuousClock.now
            idle[0].eventLoop.scheduleTask(in: .milliseconds(300)) { idle[0].close(promise: nil) }
            #expect(try await isServed(server))
            #expect(ContinuousClock.now - start >= .milliseconds(300))
            try await idle[1].close()
        }
    }

    @Test func `the server closes the connection of a client that never reads responses`() async throws {
        let products = "[" + (0..<5_000).map { #"{"id":"com.example.product\#($0)","credits":5}"# }.joined(separator: ",") + "]"
        try await withServer(#""stall-seconds":1"#, products: products) { server in
            let request = "GET /v1/products HTTP/1.1\r\n\(Self.host)Authorization: Bearer \(server.key)\r\n\r\n"
            let unread = try await open(String(repeating: request, count: 200), server, isReading: false)
            let port = try #require(unread.localAddress?.port)
            #expect(try await isServed(server))
            #expect(try server.process.hasConnection(on: server.port, from: port))
            try await eventually {
                #expect(try await isServed(server))
                return try !server.process.hasConnection(on: server.port, from: port)
            }
            try? await unread.close()
        }
    }

    @Test func `stalled connections delay shutdown only up to the limit`() async throws {
        try await withServer(#""shutdown-seconds":0.5,"head-seconds":600,"stall-seconds":600,"body-seconds":600"#) { server in
            let head = "POST /v1/notifications HTTP/1.1\r\n\(Self.host)Content-Length: 100\r\n\r\n{"
            let stalled = try await (0..<5).asyncMap { _ in try await open(head, server) }
            #expect(try await isServed(server))
            let start = ContinuousClock.now
            #expect(await server.process.terminate() == 0)
            #expect(ContinuousClock.now - start < .seconds(10))
            for channel in stalled { try? await channel.close() }
        }
    }

    @Test func `without free file descriptors the server pauses, logs it, and serves again`() async throws {
        try await withServer("", openFiles: 64) { server in
            let before = try server.process.processorSeconds
            let connections = try await (0..<100).asyncMap { _ in try await open("", server) }
            // The server pauses for a second before each further attempt.
            var pauses = 0
            for await line in server.process.lines where line.contains("accepting connections is paused") {
                pauses += 1
                if pauses == 3 { break }
            }
            #expect(pauses == 3)
            #expect(try server.process.processorSeconds - before < 1)
            for channel in connections { try await channel.close() }
            #expect(try await isServed(server))
        }
    }

    @Test func `without free file descriptors the sample app's page pauses, logs it, and serves again`() async throws {
        try await TemporaryFolder.with { folder in
            let arguments = ["serve", "--folder", folder.file("shop").path, "--port", "0", "--json"]
            let shop = try LineProcess(
                "/bin/sh", ["-c", "ulimit -n 64; exec \"$0\" \"$@\" 2>&1", BuiltProducts.path("monkeyshop")] + arguments)
            let line = try #require(await shop.lines.first { _ in true })
            let address = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["shop"]
            let port = try #require(address.flatMap { URLComponents(string: $0)?.port })
            let before = try shop.processorSeconds
            let connections = try await (0..<100).asyncMap { _ in try await open("", on: port) }
            // The server pauses for a second before each further attempt.
            var pauses = 0
            for await line in shop.lines where line.contains("accepting connections is paused") {
                pauses += 1
                if pauses == 2 { break }
            }
            #expect(pauses == 2)
            #expect(try shop.processorSeconds - before < 1)
            for channel in connections { try await channel.close() }
            let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
            #expect(try await RawClient.send(request, to: port).hasPrefix("HTTP/1.1 200 "))
            #expect(await shop.terminate() == 0)
        }
    }

    @Test func `Expect: 100-continue gets 100 Continue unless the body is too long`() async throws {
        try await withServer("") { server in
            let head = "POST /v1/notifications HTTP/1.1\r\n\(Self.host)Connection: close\r\nExpect: 100-continue\r\nContent-Length: "
            let asked = try await RawClient.send("\(head)2\r\n\r\n{}", to: server.port)
            #expect(asked.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 "), "\(asked)")
            let refused = try await RawClient.send("\(head)5000000\r\n\r\n", to: server.port) { $0.contains("body.too-large") }
            #expect(refused.hasPrefix("HTTP/1.1 413 "), "\(refused)")
        }
    }

    @Test func `100 Continue is sent only for a request that waits for it`() async throws {
        try await withServer("") { server in
            let health = "GET /health HTTP/1.1\r\n\(Self.host)\r\n"
            let head = "POST /v1/notifications HTTP/1.1\r\n\(Self.host)Expect: 100-continue\r\nContent-Length: 2\r\n"
            // The second request follows the first one before its response; the third request is sent when no other is pending.
            let received = try await exchange(
                [
                    ("\(health)\(head)\r\n{}", { $0.contains(" 400 ") && $0.hasSuffix("}") }),
                    ("\(head)Connection: close\r\n\r\n", { $0.hasSuffix(" 100 Continue\r\n\r\n") }),
                    ("{}", { _ in false }),
                ], with: server)
            let statuses = received.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "400", "100", "400"], "\(received)")
        }
    }
}

/// A handler that completes a promise when the first bytes are read.
private final class FirstRead: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        promise.succeed()
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
    }
}

extension Sequence where Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
