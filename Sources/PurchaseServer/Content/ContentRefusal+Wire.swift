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
            WireError(code: "content.none", message: "The server has no file for a product \(product).")
        case .fileMissing(let product):
            WireError(code: "content.missing", message: "The file of \(product) is not there at the moment; ask again later.")
        case .receiptNotVerified(.refused(let refusal)):
            WireError(code: "receipt.refused", message: "The receipt was refused. \(refusal.message)")
        case .receiptNotVerified(.indeterminate(let indeterminacy)):
            WireError(
                code: "receipt.indeterminate", message: "The receipt can't be verified now; try again later. \(indeterminacy.message)"
            )
        case .notBought(let product):
            WireError(code: "content.not-bought", message: "The receipt shows no purchase of \(product); refresh the receipt, or buy it.")
        case .refunded(let product):
            WireError(code: "content.refunded", message: "The purchase of \(product) was refunded.")
        case .ended(let product):
            WireError(code: "content.ended", message: "The subscription to \(product) has ended.")
        case .ticketRefused:
            WireError(code: "ticket.refused", message: "The ticket is not one for this content; ask for a ticket with the receipt.")
        case .ticketExpired:
            WireError(code: "ticket.expired", message: "The ticket's time is over; ask for a new one with the receipt.")
        }
    }
}
