import Foundation
import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import Wire
import WireServer

/// The endpoint that explains to a developer why the server accepts or refuses a receipt or a JWS.
///
/// The endpoint uses the same verifiers as the endpoints for purchases, and records nothing. It requires a secret key, because an
/// explanation skips the verified-chain cache and is expensive.
struct ProofExplanationController: Sendable {
    static let endpoint = Endpoint<ExplanationRequest, VerificationExplanation>(.post, "/v1/explain")

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Self.endpoint) { body, _, context in
            let app = try context.caller(.manageCustomers).app
            switch (body.receipt, body.signed) {
            case (let receipt?, nil):
                guard let bytes = Data(base64Encoded: receipt) else { throw ExplanationRefusal.notBase64 }
                return await app.verifiers.receipts.verifier.explain([UInt8](bytes)).explanation
            case (nil, let signed?):
                return await app.verifiers.signedData.explainAny(signed).explanation
            default:
                throw ExplanationRefusal.notOne
            }
        }
    }
}
