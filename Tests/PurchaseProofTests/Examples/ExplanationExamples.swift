import Foundation
import PurchaseProof

func steps(of receipt: [UInt8], by verifier: ReceiptVerifier) async -> [String] {
    let (_, explanation) = await verifier.explain(receipt)
    return explanation.steps.map { "\($0.status.rawValue) \($0.name): \($0.observed)" }
}

func report(on compact: String, by verifier: SignedDataVerifier) async throws -> Data {
    let report = await verifier.explainAny(compact)
    return try JSONEncoder().encode(report.explanation)
}
