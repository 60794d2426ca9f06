import Foundation
import MonkeyShopBackend
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// The receipt of the app on a phone, verified on the phone.
struct AppReceipt: Sendable {
    /// The reason why the phone shows no receipt.
    enum Failure: Error {
        case missing, refused

        var phrase: Phrase {
            switch self {
            case .missing: "This phone has no receipt yet."
            case .refused: "The receipt is refused."
            }
        }
    }

    let bytes: Data
    let payload: ReceiptPayload
    /// The status in the response of `verifyReceipt`; nil before the first request.
    var status: VerifyReceiptStatus?

    /// Reads and verifies the receipt of the app on a device.
    init(of device: Device) async throws(Failure) {
        guard let bytes = try? Data(contentsOf: device.receiptURL),
            let roots = try? TrustedRoots.apple(and: device.configuration.rootsPEM, in: [.sandbox])
        else { throw .missing }
        let verifier = ReceiptVerifier(roots: roots, bundleID: device.configuration.bundleID, environments: [.sandbox])
        guard case .verified(let receipt) = await verifier.outcome(of: Array(bytes)) else { throw .refused }
        (self.bytes, payload) = (bytes, receipt.payload)
    }

    /// Sends the receipt to `verifyReceipt`, and returns the status; nil if there is no response.
    ///
    /// - Parameters:
    ///   - host: The service with the endpoint `verifyReceipt`.
    ///   - environment: The environment of the phone, with the addresses of the services.
    func validate(at host: VerifyReceiptHost, in environment: PhoneEnvironment) async -> VerifyReceiptStatus? {
        let request = VerifyReceiptRequest(receiptData: bytes.base64EncodedString())
        let base = host == .store ? environment.storeURL : environment.serverURL
        for path in host.paths {
            guard let url = base.appending(path), let body = try? await BackendClient.post(request, to: url),
                let response = try? JSONDecoder().decode(VerifyReceiptResponse.self, from: body)
            else { return nil }
            environment.messages.add(
                host == .store ? .appToStore : .appToServer, "POST \(path)", "\(response.status.rawValue)",
                isFailure: response.status != .valid, try? JSONEncoder().encode(request), try? JSONEncoder().encode(response))
            if response.status != .testReceiptAtProduction { return response.status }
        }
        return .testReceiptAtProduction
    }
}

/// The service whose `verifyReceipt` endpoint validates the receipt.
enum VerifyReceiptHost: String, Codable, Sendable {
    /// The App Store. A sandbox receipt is refused in production with status 21007, and is then sent to the sandbox.
    case store
    /// The developer's server.
    case server

    fileprivate var paths: [String] {
        switch self {
        case .store: ["/production/verifyReceipt", "/sandbox/verifyReceipt"]
        case .server: ["/verifyReceipt", "/sandbox/verifyReceipt"]
        }
    }
}
