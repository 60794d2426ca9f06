import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// The promises of a transport, which those of Linux and of Apple's platforms keep.
@Suite struct HTTPTransportTests {
    /// The transports.
    enum Kind: CaseIterable, Sendable {
        /// The one of this platform.
        case system
        /// The one of Apple's platforms.
        case session

        var transport: any HTTPTransport {
            switch self {
            case .system: SystemTransport.shared
            case .session: SessionTransport()
            }
        }
    }

    /// A request that a server has received.
    private struct Received: Sendable {
        var headers = HTTPFields()
        var body = Data()
    }

    /// A server that answers each request with a cookie, and permits caches to keep the answer.
    private final class Server: Sendable {
        let requests = Mutex<[Received]>([])

        func listen() async throws -> HTTPURL {
            let router = Router()
            router.get("page") { [self] request, _ in note(request, Data()) }
            router.post("page") { [self] request, _ in
                note(request, Data(try await request.body.collect(upTo: 1 << 16).readableBytesView))
            }
            router.get("elsewhere") { [self] request, _ in
                _ = note(request, Data())
                return Response(status: .temporaryRedirect, headers: [.location: "/page"])
            }
            return try await StoreHarness.serve { running in
                Application(
                    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                    onServerRunning: { await running($0.localAddress?.port ?? 0) }, logger: .silent)
            }
        }

        private func note(_ request: Request, _ body: Data) -> Response {
            requests.withLock { $0.append(Received(headers: request.headers, body: body)) }
            return Response(
                status: .ok, headers: [.setCookie: "a=b; Path=/", .cacheControl: "max-age=1000"],
                body: .init(byteBuffer: ByteBuffer(string: "hello")))
        }
    }

    @Test(arguments: Kind.allCases)
    func `each request reaches the server, without a cookie and without a compressed answer`(_ kind: Kind) async throws {
        let server = Server()
        let url = try await server.listen().base + "/page"
        let transport = kind.transport
        for _ in 1...2 {
            let response = try await transport.open(TransportRequest(method: "GET", url: url, headers: ["Authorization": "Bearer a"]))
            #expect(response.status == 200 && response.header("cache-control") == "max-age=1000")
            #expect(try await response.collect(upTo: 5) == Data("hello".utf8))
        }
        let fields = server.requests.withLock { $0.map(\.headers) }
        #expect(fields.count == 2)
        for fields in fields {
            #expect(fields[.cookie] == nil && fields[.authorization] == "Bearer a")
            // The client of Linux names no encoding, and this one asks for none.
            #expect(fields[.acceptEncoding].map { $0 == "identity" } ?? true)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a body is sent with its length`(_ kind: Kind) async throws {
        let server = Server()
        let url = try await server.listen().base + "/page"
        let body = Data(repeating: 7, count: 10_000)
        let response = try await kind.transport.open(
            TransportRequest(method: "POST", url: url, headers: ["Content-Type": "application/json"], body: body))
        #expect(response.status == 200)
        let received = try #require(server.requests.withLock { $0.first })
        #expect(received.body == body && received.headers[.contentLength] == "10000")
        #expect(received.headers[.contentType] == "application/json")
    }

    @Test(arguments: Kind.allCases)
    func `a redirection is returned, and not followed`(_ kind: Kind) async throws {
        let server = Server()
        let url = try await server.listen().base + "/elsewhere"
        let response = try await kind.transport.open(TransportRequest(method: "GET", url: url))
        #expect(response.status == 307 && response.header("Location") == "/page")
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test(arguments: Kind.allCases)
    func `a body that is longer than its limit is an error`(_ kind: Kind) async throws {
        let url = try await Server().listen().base + "/page"
        let response = try await kind.transport.open(TransportRequest(method: "GET", url: url))
        await #expect(throws: TransportResponse.TooLong.self) { try await response.collect(upTo: 4) }
    }

    @Test(arguments: Kind.allCases)
    func `a request without an answer fails`(_ kind: Kind) async throws {
        await #expect(throws: (any Error).self) {
            _ = try await kind.transport.open(TransportRequest(method: "GET", url: "http://127.0.0.1:1/"))
        }
    }
}
