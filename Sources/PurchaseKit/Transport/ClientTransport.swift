#if os(Linux)
    import Foundation
    import WireClient

    /// HTTP with the client that OpenStoreKit uses on Linux.
    struct ClientTransport: HTTPTransport {
        func open(_ request: TransportRequest) async throws -> TransportResponse {
            let (status, headers, bytes) = try await WireClient.open(request.method, url: request.url, request.headers, request.body)
            return TransportResponse(status: status, headers: headers, body: bytes)
        }
    }
#endif
