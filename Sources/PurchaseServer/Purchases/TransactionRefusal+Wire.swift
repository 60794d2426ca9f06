import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

extension TransactionRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .unverified(.indeterminate): .serviceUnavailable
        case .unverified(.refused), .noCustomer, .unknownProduct, .quantity: .unprocessableContent
        }
    }

    var wireError: WireError {
        switch self {
        case .unverified(.indeterminate(let indeterminacy)):
            WireError(
                code: "transaction.indeterminate",
                message: "The transaction can't be verified now. Send it again later. \(indeterminacy.message)"
            )
        case .unverified(.refused(let refusal)):
            WireError(code: "transaction.refused", message: "The transaction was refused. \(refusal.message)")
        case .noCustomer:
            WireError(
                code: "transaction.no-customer",
                message: "The transaction has no appAccountToken. Set the customer's UUID as the payment's application username."
            )
        case .unknownProduct(let product):
            WireError(code: "product.unknown", message: "The product \(product) is not in the server's catalog. Add it there.")
        case .quantity:
            WireError(code: "transaction.refused", message: "The transaction was refused. The quantity must be from 1 to 10.")
        }
    }
}
