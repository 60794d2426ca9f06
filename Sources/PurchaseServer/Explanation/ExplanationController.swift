import Foundation
import Hummingbird
import PurchaseModel
import PurchaseProof
import WireServer

/// Tells a developer why this server takes a receipt or signed data, or why it does not.
///
/// It judges as for a purchase, with the same verifiers, and records nothing.
struct ExplanationController: Sendable {
    static let endpoint = Endpoint<ExplanationRequest, ExplanationReply>(.post, "/v1/explain")

    let receipts: ReceiptVerifier
    let signedData: SignedDataVerifier

    func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.mount(Self.endpoint) { body, _, _ in
            switch (body.receipt, body.signed) {
            case (let receipt?, nil):
                guard let bytes = Data(base64Encoded: receipt) else { throw ExplanationRefusal.notBase64 }
                let (verdict, explanation) = await receipts.explain([UInt8](bytes))
                return ExplanationReply(verdict, explanation)
            case (nil, let signed?):
                let report = await signedData.explainAny(signed)
                return ExplanationReply(report.verdict, report.explanation)
            default:
                throw ExplanationRefusal.notOne
            }
        }
    }
}
