import AppStoreServerAPI
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// The transport with real connections.
@Suite struct TransportTests {
    static func request(_ url: HTTPURL, timeout: Duration = .seconds(30)) -> ServerAPITransportRequest {
        ServerAPITransportRequest(method: "GET", url: url.text, headers: ["X-Test": "1"], body: nil, timeout: timeout)
    }

    /// Runs `body` with a server that answers each request.
    static func serve(
        _ answer: @escaping @Sendable (Request) async throws -> Response, _ body: @Sendable (HTTPURL) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("/") { request, _ in try await answer(request) }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        try await application.test(.live) { client in try await body("http://127.0.0.1:\(client.port ?? 0)/") }
    }

    @Test func `a refused connection has sent nothing`() async throws {
        // Nothing listens on the discard port.
        await #expect(throws: ServerAPITransportError.notConnected) {
            try await HTTPServerAPITransport().send(Self.request("http://127.0.0.1:9/"))
        }
        await #expect(throws: ServerAPITransportError.notConnected) {
            try await HTTPServerAPITransport().send(Self.request("http://localhost:9/"))
        }
    }

    @Test func `a response has its status, headers and body`() async throws {
        try await Self.serve { _ in
            Response(status: .tooManyRequests, headers: [.retryAfter: "7"], body: ResponseBody(byteBuffer: ByteBuffer(string: "x")))
        } _: { url in
            let response = try await HTTPServerAPITransport().send(Self.request(url))
            #expect(response.status == 429 && response.header("RETRY-after") == "7" && response.body == Data("x".utf8))
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await Self.serve { _ in
            Response(status: .found, headers: [.location: "/"])
        } _: { url in
            let response = try await HTTPServerAPITransport().send(Self.request(url))
            #expect(response.status == 302)
        }
    }

    @Test(arguments: [(8 << 20, true), ((8 << 20) + 1, false)])
    func `a body may have eight mebibytes`(_ size: Int, _ isAccepted: Bool) async throws {
        try await Self.serve { _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x20, count: size)))
        } _: { url in
            if isAccepted {
                let response = try await HTTPServerAPITransport().send(Self.request(url))
                #expect(response.body.count == size)
            } else {
                await #expect(throws: ServerAPITransportError.responseTooLarge(status: 200)) {
                    try await HTTPServerAPITransport().send(Self.request(url))
                }
            }
        }
    }

    @Test func `the time limit includes the body`() async throws {
        let (release, end) = AsyncStream.makeStream(of: Void.self)
        try await Self.serve { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    for await _ in release {}
                    try await writer.finish(nil)
                })
        } _: { url in
            defer { end.finish() }
            let start = ContinuousClock.now
            await #expect(throws: ServerAPITransportError.noResponse) {
                try await HTTPServerAPITransport().send(Self.request(url, timeout: .milliseconds(200)))
            }
            // Without a limit for the body, the connection would end after a minute without a byte.
            #expect(start.duration(to: .now) < .seconds(15))
        }
    }

    @Test func `a canceled request ends`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (release, end) = AsyncStream.makeStream(of: Void.self)
        try await Self.serve { _ in
            arrival.yield()
            for await _ in release {}
            return Response(status: .ok)
        } _: { url in
            defer { end.finish() }
            let task = Task { try await HTTPServerAPITransport().send(Self.request(url)) }
            for await _ in arrivals { break }
            task.cancel()
            await #expect(throws: ServerAPITransportError.canceled) { try await task.value }
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)]) func `an extreme time limit does not trap`(_ limit: Duration)
        async throws
    {
        _ = try? await HTTPServerAPITransport().send(Self.request("http://127.0.0.1:9/", timeout: limit))
    }
}
