import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

extension CustomerRefusal: WireRefusal {
    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        switch self {
        case .malformed:
            WireError(code: "customer.malformed", message: "The customer identifier must be a UUID.")
        case .spendingMalformed:
            WireError(code: "spending.malformed", message: "The idempotency key must have 1 to 100 bytes without control characters.")
        case .amount:
            WireError(code: "spending.amount", message: "The amount must be from 1 to 1000000 credits.")
        }
    }
}
