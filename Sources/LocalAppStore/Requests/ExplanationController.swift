import Foundation
import Hummingbird
import PurchaseModel
import PurchaseProof
import Wire
import WireServer

/// Adds the route of the control API that verifies signed data of a request or a response step by step.
///
/// The verifier trusts the root of this store only, as `verifyReceipt` and the devices of the store do, and records nothing.
struct ExplanationController: Sendable {
    static let endpoint = Endpoint<SignedText, SignedTextExplanation>(.post, "/control/v1/explain")

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(Self.endpoint) { body, _, context in
            try await SignedTextExplanation(of: body.text, trusting: context.store.roots)
        }
    }
}

/// A receipt in base64, or a compact JWS.
struct SignedText: Codable, Sendable {
    var text: String
}

/// The steps of the verification of signed data, and the content of a receipt.
struct SignedTextExplanation: Codable, Sendable {
    /// The result, and the steps that led to it.
    var explanation: VerificationExplanation
    /// The content of an app receipt that is verified, in the form of `verifyReceipt`; nil for other data.
    var receipt: VerifyReceiptBody?

    /// Verifies a JWS, an app receipt, or a transaction receipt of iOS 6, in any environment and of any app.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` for a text that is neither a JWS nor base64.
    init(of text: String, trusting roots: TrustedRoots) async throws {
        let anyEnvironment = EnvironmentCheck(Set(AppEnvironment.allCases))
        if text.contains(".") {
            explanation = await SignedDataVerifier(roots: roots, anyEnvironment, and: []).explainAny(text).explanation
            return
        }
        guard let data = Data(base64Encoded: text), !data.isEmpty else { throw StoreError.invalidValue(field: "text") }
        let bytes = [UInt8](data)
        if let transaction = try? UnverifiedTransactionReceipt(bytes) {
            let verifier = TransactionReceiptVerifier(
                roots: roots, bundleID: transaction.payload.bundleID, environments: Set(AppEnvironment.allCases))
            explanation = verifier.explain(bytes).explanation
            return
        }
        let (outcome, explanation) = await ReceiptVerifier(roots: roots, anyEnvironment).explain(bytes)
        self.explanation = explanation
        if case .verified(let receipt) = outcome { self.receipt = VerifyReceiptBody(receipt: receipt.payload) }
    }
}
