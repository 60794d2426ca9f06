import AppStoreServerAPI
import Foundation
import PurchaseModel

/// Counts and measures the requests to the App Store Server API.
struct MeteredTransport: ServerAPITransport {
    let transport: any ServerAPITransport
    let metrics: ServerMetrics

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let (start, endpoint) = (ContinuousClock.now, Self.endpoint(of: request))
        do {
            let response = try await transport.send(request)
            report(endpoint, "\(response.status)", since: start)
            return response
        } catch {
            report(endpoint, Self.reason(error), since: start)
            throw error
        }
    }

    private func report(_ endpoint: String, _ result: String, since start: ContinuousClock.Instant) {
        metrics.add(to: .appStoreRequests, ["endpoint": endpoint, "result": result])
        metrics.observe(.appStoreDuration, ContinuousClock.now - start, ["endpoint": endpoint])
    }

    private static func reason(_ error: ServerAPITransportError) -> String {
        switch error {
        case .notConnected: "not_connected"
        case .noResponse: "no_response"
        case .responseTooLarge: "too_large"
        case .canceled: "canceled"
        }
    }

    /// Returns the name of the endpoint to which a request belongs, so that identifiers in the path make no series.
    private static func endpoint(of request: ServerAPITransportRequest) -> String {
        let path = URLComponents(string: request.url)?.path ?? ""
        let segments = path.split(separator: "/")
        let endpoint = ServerAPIEndpoint.allCases.first { endpoint in
            let template = endpoint.template.split(separator: "/")
            // The base URL can have a path of its own, such as that of a local store's production environment.
            return endpoint.method.rawValue == request.method && template.count <= segments.count
                && zip(template, segments.suffix(template.count)).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return endpoint?.rawValue ?? "other"
    }
}
