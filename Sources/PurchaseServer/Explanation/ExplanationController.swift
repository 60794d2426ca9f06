import Foundation
import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

/// The endpoint that explains to a developer why the server accepts or refuses a receipt or a JWS.
///
/// The endpoint uses the same verifiers as the endpoints for purchases, and records nothing.
struct ExplanationController: Sendable {
    static let endpoint = Endpoint<ExplanationRequest, VerificationExplanation>(.post, "/v1/explain")

    let receipts: ReceiptVerifier
    let signedData: SignedDataVerifier

    func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.mount(Self.endpoint) { body, _, _ in
            switch (body.receipt, body.signed) {
            case (let receipt?, nil):
                guard let bytes = Data(base64Encoded: receipt) else { throw ExplanationRefusal.notBase64 }
                return await receipts.explain([UInt8](bytes)).explanation
            case (nil, let signed?):
                return await signedData.explainAny(signed).explanation
            default:
                throw ExplanationRefusal.notOne
            }
        }
    }
}
