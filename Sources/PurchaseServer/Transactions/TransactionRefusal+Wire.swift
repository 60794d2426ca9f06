import HTTPTypes
import PurchaseModel
import WireServer

extension TransactionRefusal: WireRefusal {
    var status: HTTPResponse.Status { .unprocessableContent }

    var wireError: WireError {
        switch self {
        case .unverified(let error):
            WireError(code: "transaction.refused", message: "The transaction was refused. \(error.sentence)")
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
