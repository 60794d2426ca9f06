import HTTPTypes
import Hummingbird

/// Counts the requests by their route, and measures the time until the head of the response.
struct MetricsMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    /// The methods that the label `method` states; any other one is `other`, because the method is text of the client.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]

    let metrics: ServerMetrics

    init(_ metrics: ServerMetrics) {
        self.metrics = metrics
    }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        metrics.countOpenRequests(1)
        defer { metrics.countOpenRequests(-1) }
        do {
            let response = try await next(request, context)
            report(request, context, "\(response.status.code)", since: start)
            return response
        } catch {
            // The connection ended before the response, so that no status describes the request.
            report(request, context, "canceled", since: start)
            throw error
        }
    }

    private func report(_ request: Request, _ context: Context, _ status: String, since start: ContinuousClock.Instant) {
        let method = Self.methods.contains(request.method.rawValue) ? request.method.rawValue : "other"
        // A path without an endpoint is text of the client, and would make a series for each one. A wrong method belongs to no endpoint.
        let route = context.endpointPath.flatMap { $0 == "NotFound" || status == "405" ? nil : $0 } ?? "unmatched"
        metrics.add(to: .requests, ["method": method, "route": route, "status": status])
        metrics.observe(.requestDuration, ContinuousClock.now - start, ["method": method, "route": route])
    }
}
