import OpenStoreKit
import PurchaseKit
import PurchaseModel
import Wire
import WireClient

/// The sample app's client of the developer's server, which it can't reach while the device is in airplane mode.
struct ShopServer: Sendable {
    private let client: ServerClient
    private let device: Device

    init(serverURL: HTTPURL, credentials: ServerCredentials, device: Device) {
        client = ServerClient(serverURL: serverURL, credentials: credentials)
        self.device = device
    }

    /// Calls an endpoint of the server.
    ///
    /// - Throws: `WireClientError.unreachable` in airplane mode, or the error of the call.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        parameters: [String: String] = [:]
    ) async throws(WireClientError) -> Response {
        guard !device.settings.airplaneMode else { throw .unreachable }
        return try await client.call(endpoint, body, parameters: parameters)
    }
}
