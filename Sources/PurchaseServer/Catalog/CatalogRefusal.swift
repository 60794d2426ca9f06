import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// The reason why the server refuses a change of the catalog.
enum CatalogRefusal: Error, Equatable {
    /// The request has no products, or more than 1,000.
    case count
    /// A product is invalid; the associated value is the reason.
    case invalid(ConfigurationError)
    /// No product with the given identifier was added through the API.
    case unknown(ProductID)
}

extension CatalogRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .count, .invalid: .badRequest
        case .unknown: .notFound
        }
    }

    var wireError: WireError {
        switch self {
        case .count: WireError(code: "catalog.count", message: "Send 1 to 1000 products in a request.")
        case .invalid(let error): WireError(code: "catalog.product", message: "A product is invalid: \(error.advice)")
        case .unknown(let id):
            WireError(
                code: "catalog.unknown",
                message: "No product \(id) was added through the API. To remove a product of the products file, edit the file.")
        }
    }
}
