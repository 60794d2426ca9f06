import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// The reason why the server refuses a request to explain a verification.
enum ExplanationRefusal: Error, Equatable, WireRefusal {
    /// The request contains neither a receipt nor a JWS, or both.
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
