import HTTPTypes
import PurchaseModel
import PurchaseProof
import WireServer

extension TransactionRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .unverified(.unknown): .serviceUnavailable
        case .unverified(.refused), .noCustomer, .unknownProduct, .quantity: .unprocessableContent
        }
    }

    var wireError: WireError {
        switch self {
        case .unverified(.unknown(let doubt)):
            WireError(code: "transaction.unknown", message: "The transaction can't be judged now; send it again later. \(doubt.sentence)")
        case .unverified(.refused(let refusal)):
            WireError(code: "transaction.refused", message: "The transaction was refused. \(refusal.sentence)")
        case .noCustomer:
            WireError(
                code: "transaction.no-customer",
                message: "The transaction has no appAccountToken; set the customer's UUID as the payment's application username."
            )
        case .unknownProduct(let product):
            WireError(code: "product.unknown", message: "The product \(product) is not in the server's list.")
        case .quantity:
            WireError(code: "transaction.refused", message: "The transaction was refused. Its quantity is not from 1 to 10.")
        }
    }
}
