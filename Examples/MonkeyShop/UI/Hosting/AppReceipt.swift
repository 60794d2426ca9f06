import Foundation
import MonkeyShopBackend
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// The receipt of the app on a phone, verified on the phone.
struct AppReceipt: Sendable {
    /// Why there is no receipt to show.
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
    /// What `verifyReceipt` says about the receipt; nil until it is asked.
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

    /// Sends the receipt to `verifyReceipt`; nil without an answer.
    ///
    /// - Parameters:
    ///   - host: Whose `verifyReceipt`.
    ///   - environment: What the phone can reach.
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

/// Who validates the app's receipt.
enum VerifyReceiptHost: String, Codable, Sendable {
    /// The App Store, whose production refuses the receipts of the sandbox with 21007, so that they are sent to the sandbox next.
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
