import Foundation
import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import Wire
import WireServer

/// The endpoint that explains to a developer why the server accepts or refuses a receipt or a JWS.
///
/// The endpoint uses the same verifiers as the endpoints for purchases, and records nothing. A secret key is required, because an
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

/// A request to explain the verification of a receipt or a JWS.
///
/// A valid request has exactly one of the two members.
struct ExplanationRequest: Codable, Sendable {
    /// An app receipt in base64.
    var receipt: String?
    /// A compact JWS of any kind: transaction, renewal information, app transaction, notification.
    var signed: String?
}

/// The reason why the server refuses a request to explain a verification.
enum ExplanationRefusal: Error, Equatable, WireRefusal {
    /// The request does not contain exactly one of a receipt and a JWS.
    case notOne
    /// The receipt is not base64.
    case notBase64

    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        switch self {
        case .notOne: WireError(code: "explanation.ambiguous", message: "Send either \"receipt\" (base64) or \"signed\" (a compact JWS).")
        case .notBase64:
            WireError(code: "explanation.not-base64", message: "The receipt is not standard base64. Send the bytes of the file in base64.")
        }
    }
}
