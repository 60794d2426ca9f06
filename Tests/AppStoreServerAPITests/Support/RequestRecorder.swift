import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import Synchronization

/// An HTTP server that records all requests, and answers each with status 418.
final class RequestRecorder: Sendable {
    /// A request as it arrived.
    struct Recorded: Sendable {
        let method: String
        /// The percent-encoded path, without the query.
        let path: String
        /// The decoded query parameters, in order.
        let query: ServerAPIQuery
        let headers: HTTPFields
        let body: Data
    }

    private let requests = Mutex<[Recorded]>([])

    /// Returns the recorded requests, and forgets them.
    func takeRequests() -> [Recorded] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    /// Listens on a free port while `body` runs.
    func listen(_ body: @Sendable (HTTPURL) async throws -> Void) async throws {
        let application = Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                let body = Data(buffer: try await request.body.collect(upTo: 1 << 20))
                let recorded = Recorded(
                    method: request.method.rawValue, path: request.uri.path, query: ServerAPIQuery(request.uri.query ?? ""),
                    headers: request.headers, body: body)
                self.requests.withLock { $0.append(recorded) }
                return Response(status: HTTPResponse.Status(code: 418))
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        try await application.test(.live) { client in try await body(HTTPURL(loopbackPort: client.port ?? 0)) }
    }
}
