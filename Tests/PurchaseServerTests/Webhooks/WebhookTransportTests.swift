import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseServer

/// The requests of webhooks over HTTP on this machine.
@Suite struct WebhookTransportTests {
    private static func post(_ url: String, within timeout: Duration = .seconds(15)) async throws -> WebhookResponse {
        try await HTTPWebhookTransport.shared.post(
            WebhookRequest(
                url: try #require(WebhookURL(url)), address: try #require(IPAddress("127.0.0.1")), headers: ["webhook-id": "evt_1"],
                body: Array("{}".utf8)),
            within: timeout)
    }

    private static func serve(_ body: @escaping @Sendable (Int, Hosts) async throws -> Void) async throws {
        let hosts = Hosts()
        let (silence, end) = AsyncStream<Void>.makeStream()
        let router = Router()
        router.post("hook") { request, _ in
            hosts.all.withLock { $0.append(request.head.authority ?? "") }
            return Response(status: .accepted, headers: [.retryAfter: "7"])
        }
        router.post("moved") { _, _ in Response(status: .found, headers: [.location: "/hook"]) }
        router.post("endless") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    while true { try await writer.write(ByteBuffer(repeating: 0x20, count: 1 << 16)) }
                })
        }
        router.post("silent") { _, _ in
            _ = await silence.first { true }
            return Response(status: .ok)
        }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        try await application.test(.live) { client in
            // The application stops after the answer to each request.
            defer { end.finish() }
            try await body(try #require(client.port), hosts)
        }
    }

    private final class Hosts: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test func `the connection uses the checked address, and the request states the name of the host`() async throws {
        try await Self.serve { port, hosts async throws in
            // No name server knows the host, so only the checked address can lead to the receiver.
            #expect(try await Self.post("http://receiver.invalid:\(port)/hook") == .status(202, retryAfter: 7))
            #expect(hosts.all.withLock { $0 } == ["receiver.invalid:\(port)"])
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await Self.serve { port, hosts async throws in
            #expect(try await Self.post("http://receiver.invalid:\(port)/moved") == .status(302))
            #expect(hosts.all.withLock { $0 }.isEmpty)
        }
    }

    @Test func `an endless answer is not read, and a silent endpoint ends at the deadline`() async throws {
        try await Self.serve { port, _ async throws in
            #expect(try await Self.post("http://receiver.invalid:\(port)/endless") == .status(200))
            #expect(try await Self.post("http://receiver.invalid:\(port)/silent", within: .milliseconds(300)) == .timeout)
        }
    }

    @Test func `an endpoint that does not listen is unreachable`() async throws {
        // Port 9 is the discard service, which this machine does not run.
        #expect(try await Self.post("http://receiver.invalid:9/hook") == .unreachable)
    }
}
