import HTTPTypes
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// An error of an operation with apps and their products.
enum AppError: StoreRefusal {
    /// The store has no app with the bundle identifier.
    case unknown
    /// The app's catalog does not have the product.
    case productUnknown
    /// The request names more products than ``ProductsRequest/limit``.
    case tooManyProducts
    /// The uploaded `.storekit` file is invalid.
    case invalidCatalog(CatalogError)

    var status: HTTPResponse.Status {
        switch self {
        case .unknown, .productUnknown: .notFound
        case .tooManyProducts, .invalidCatalog: .badRequest
        }
    }

    var wireError: WireError {
        switch self {
        case .unknown:
            WireError(code: "app.unknown", message: "No app with this bundle ID in this store. List the apps with: tillroll store apps")
        case .productUnknown:
            WireError(
                code: "product.unknown",
                message: "No product with this identifier in this app. List the products with: tillroll store products")
        case .tooManyProducts:
            WireError(
                code: "products.too-many",
                message: "The request has too many products; the maximum is \(ProductsRequest.limit). Send several requests.")
        case .invalidCatalog(let error):
            WireError(code: "storekit.invalid", message: error.description)
        }
    }
}
