import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import WireClient

/// The shop's server; airplane mode of the device makes it unreachable.
struct ShopServer: Sendable {
    private let client: WireClient
    private let device: Device

    init(serverURL: HTTPURL, device: Device) {
        client = WireClient(baseURL: serverURL)
        self.device = device
    }

    /// Calls an endpoint of the server.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        parameters: [String: String] = [:]
    ) async throws(WireClientError) -> Response {
        guard !device.settings.airplaneMode else { throw .unreachable }
        return try await client.call(endpoint, body, parameters: parameters)
    }
}
