import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
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

    /// Submits a signed transaction with the identifiers of the device, which prove that it was issued to the device.
    ///
    /// - Throws: `WireClientError` for a call that fails, or for a transaction that the server does not accept now.
    func submit(_ transaction: SignedTransaction) async throws(WireClientError) -> SubmittedPurchase {
        let request = SubmitPurchasesRequest(
            proofs: [PurchaseProofInput(signedTransaction: transaction)], deviceVerificationID: device.verificationID, vendorID: device.id)
        let reply = try await call(ServerEndpoints.purchases, request)
        guard let result = reply.results.first else { throw .invalidResponse(status: 200) }
        let error = WireError(code: result.code ?? "", message: result.message ?? "")
        switch result.status {
        case .refused: throw .refused(status: 422, error)
        case .indeterminate: throw .refused(status: 503, error)
        case .verified: break
        }
        guard let purchase = result.purchases.first else { throw .invalidResponse(status: 200) }
        return purchase
    }
}
