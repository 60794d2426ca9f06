import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PurchaseModel

/// Answers `GET /metrics` with the text of all metrics.
struct MetricsEndpoint: Sendable {
    /// The media type of the text format of Prometheus.
    private static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    let metrics: ServerMetrics
    /// The warnings that apply now.
    let warnings: @Sendable () -> [OperatorWarning]

    /// Returns the metrics, with the state of the process and the warnings of this moment.
    func response() -> Response {
        ProcessMetrics.update(metrics.registry)
        metrics.registry.replace(.warnings, with: warnings().map { ["app": $0.app.rawValue, "code": $0.code] })
        return Response(
            status: .ok, headers: [.contentType: Self.mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.registry.text())))
    }
}

/// Answers `GET /metrics` on the server's own address to a request with the token of the configuration.
///
/// The middleware runs before the callers are identified, because the token is no API key. Without a token, the path does not exist.
struct MetricsTokenMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let endpoint: MetricsEndpoint
    private let digest: SHA256Digest

    init(_ endpoint: MetricsEndpoint, token: String) {
        self.endpoint = endpoint
        digest = SHA256.hash(data: Data("Bearer \(token)".utf8))
    }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path == "/metrics", request.method == .get || request.method == .head else {
            return try await next(request, context)
        }
        context.coreContext.endpointPath.value = "/metrics"
        // Digests have the same length, and Crypto compares them in constant time, so that the duration does not disclose the token.
        guard let stated = request.headers[.authorization], SHA256.hash(data: Data(stated.utf8)) == digest else {
            throw MetricsRefusal.token
        }
        return endpoint.response()
    }
}
