public import PurchaseModel
public import WireClient

/// How a device reaches its store; replaced in tests to lose, repeat and delay what is sent.
public protocol StoreTransport: Sendable {
    /// Calls an endpoint of the device protocol.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response
}

/// Reaches the store over HTTP.
public struct HTTPStoreTransport: StoreTransport {
    private let client: WireClient

    /// Creates a transport to the store at a base address.
    public init(storeURL: String) {
        client = WireClient(baseURL: storeURL)
    }

    /// Calls an endpoint of the device protocol.
    public func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response {
        try await client.call(endpoint, body, token: token)
    }
}
