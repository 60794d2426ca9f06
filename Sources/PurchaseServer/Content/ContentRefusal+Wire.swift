import HTTPTypes
import PurchaseModel
import WireServer

extension ContentRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .noFile: .notFound
        case .fileMissing, .receiptUnknown: .serviceUnavailable
        case .receiptRefused, .notBought, .refunded, .ended, .ticketRefused, .ticketExpired: .forbidden
        }
    }

    var wireError: WireError {
        switch self {
        case .noFile(let product):
            WireError(code: "content.none", message: "The server has no file for a product \(product).")
        case .fileMissing(let product):
            WireError(code: "content.missing", message: "The file of \(product) is not there at the moment; ask again later.")
        case .receiptRefused(let reason):
            WireError(code: "receipt.refused", message: "The receipt was refused. \(reason)")
        case .receiptUnknown(let asked):
            WireError(
                code: "receipt.unknown",
                message: "The App Store could not say whether the receipt is good (\(asked.joined(separator: ", "))); ask again later."
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
