import Foundation
import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

/// Explains to a developer why this server accepts or refuses a receipt or signed data.
///
/// It verifies the data as for a purchase, with the same verifiers, and records nothing.
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
