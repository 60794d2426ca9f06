import Foundation
import PurchaseModel
import PurchaseProof

func story(of receipt: [UInt8], by verifier: ReceiptVerifier) async -> [String] {
    let (_, explanation) = await verifier.explain(receipt)
    return explanation.steps.map { "\($0.outcome.rawValue) \($0.name): \($0.saw)" }
}

func report(on compact: String, by verifier: SignedDataVerifier) async throws -> Data {
    let report = await verifier.explainAny(compact)
    return try JSONEncoder().encode(report.explanation)
}
