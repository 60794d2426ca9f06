import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

extension ContentRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .noFile: .notFound
        case .fileMissing, .receiptNotVerified(.indeterminate): .serviceUnavailable
        case .receiptNotVerified(.refused), .notBought, .refunded, .ended, .ticketRefused, .ticketExpired: .forbidden
        }
    }

    var wireError: WireError {
        switch self {
        case .noFile(let product):
            WireError(code: "content.none", message: "The server has no file for the product \(product).")
        case .fileMissing(let product):
            WireError(code: "content.missing", message: "The file of \(product) is temporarily unavailable. Try again later.")
        case .receiptNotVerified(.refused(let refusal)):
            WireError(code: "receipt.refused", message: "The receipt was refused. \(refusal.message)")
        case .receiptNotVerified(.indeterminate(let indeterminacy)):
            WireError(
                code: "receipt.indeterminate", message: "The receipt can't be verified now. Try again later. \(indeterminacy.message)"
            )
        case .notBought(let product):
            WireError(
                code: "content.not-bought",
                message: "The receipt contains no purchase of \(product). Refresh the receipt, or purchase the product.")
        case .refunded(let product):
            WireError(code: "content.refunded", message: "The purchase of \(product) was refunded.")
        case .ended(let product):
            WireError(code: "content.ended", message: "The subscription to \(product) has ended.")
        case .ticketRefused:
            WireError(
                code: "ticket.refused", message: "The download token is not valid for this content. Request a token with the receipt.")
        case .ticketExpired:
            WireError(code: "ticket.expired", message: "The download token has expired. Request a new token with the receipt.")
        }
    }
}
