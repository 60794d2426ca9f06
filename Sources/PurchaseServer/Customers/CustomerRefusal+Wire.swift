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
            WireError(code: "customer.malformed", message: "The customer identifier must be a UUID.")
        case .spendingMalformed:
            WireError(code: "spending.malformed", message: "The idempotency key must have 1 to 100 bytes without control characters.")
        case .amount:
            WireError(code: "spending.amount", message: "The amount must be from 1 to 1000000 credits.")
        case .spendingReused:
            WireError(code: "spending.reused", message: "This idempotency key was used with another amount. Use a new key for each debit.")
        case .balanceTooSmall(let balance) where balance < 0:
            WireError(
                code: "balance.too-small",
                message: "The balance is \(balance) credits, because a refund revoked spent credits. Nothing was debited."
            )
        case .balanceTooSmall(let balance):
            WireError(code: "balance.too-small", message: "The balance is only \(balance) credits. Nothing was debited.")
        }
    }
}
