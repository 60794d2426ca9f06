import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOFoundationCompat
import OpenStoreKit
import PurchaseTestSupport
import Synchronization

/// Sends requests to the responder of an application, without a connection.
///
/// Hummingbird's own test client creates a channel for each request and never closes it: 6 KB for each of the million requests of a long run.
struct InProcessServer: Sendable {
    /// A response with its complete body.
    typealias Reply = (status: Int, body: Data)

    /// The channel that all requests name as theirs; nothing is sent over it.
    private static let channel = NIOAsyncTestingChannel()

    private let respond: @Sendable (Request) async throws -> Reply

    init<Application: ApplicationProtocol>(_ application: Application) async throws
    where Application.Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let responder = try await application.responder
        respond = { request in
            let source = ApplicationRequestContextSource(channel: Self.channel, logger: .silent)
            let response = try await responder.respond(to: request, context: Application.Responder.Context(source: source))
            let body = BodyCollector()
            try await response.body.write(body)
            return (response.status.code, Data(buffer: body.buffer))
        }
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: Data?) async throws -> Reply {
        var headers = headers
        if let body { headers[.contentLength] = "\(body.count)" }
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers)
        return try await respond(Request(head: head, body: RequestBody(buffer: body.map { ByteBuffer(data: $0) } ?? ByteBuffer())))
    }
}

extension InProcessServer: StoreTransport {
    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        guard let method = HTTPRequest.Method(request.method) else { throw .unreachable }
        var headers = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        do {
            let reply = try await send(method, request.path, headers, request.body)
            return StoreResponse(status: reply.status, body: reply.body)
        } catch {
            throw .unreachable
        }
    }
}

private final class BodyCollector: ResponseBodyWriter {
    private let bytes = Mutex(ByteBuffer())

    var buffer: ByteBuffer { bytes.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ headers: HTTPFields?) async throws {}
}
