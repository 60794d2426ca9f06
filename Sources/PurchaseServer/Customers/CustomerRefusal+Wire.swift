import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

extension CustomerRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .malformed, .spendingMalformed, .amount: .badRequest
        case .spendingReused, .balanceTooSmall: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .malformed:
            WireError(code: "customer.malformed", message: "A customer is named by a UUID.")
        case .spendingMalformed:
            WireError(code: "spending.malformed", message: "A spending is named by 1 to 100 bytes of text without control characters.")
        case .amount:
            WireError(code: "spending.amount", message: "An amount is from 1 to 1000000 credits.")
        case .spendingReused:
            WireError(code: "spending.reused", message: "This spending was made with another amount; make a new identifier for a new one.")
        case .balanceTooSmall(let balance) where balance < 0:
            WireError(
                code: "balance.too-small",
                message: "The balance is \(balance) credits, because a refund took back credits that were spent; nothing was taken."
            )
        case .balanceTooSmall(let balance):
            WireError(code: "balance.too-small", message: "There are only \(balance) credits left; nothing was taken.")
        }
    }
}
