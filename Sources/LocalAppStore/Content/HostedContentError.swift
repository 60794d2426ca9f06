import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an operation with hosted content.
enum HostedContentError: StoreRefusal {
    /// The store hosts no content for the product.
    case unknown
    /// The file that was uploaded as a product's hosted content is empty.
    case empty
    /// The hosted content is not available to the caller, because the transaction is refunded or revoked.
    case revoked

    var status: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .empty: .badRequest
        case .revoked: .forbidden
        }
    }

    var wireError: WireError {
        switch self {
        case .unknown:
            WireError(
                code: "content.unknown", message: "The store hosts no content for this product; upload a file with: tillroll store content")
        case .empty:
            WireError(
                code: "content.empty",
                message: "The product's content is empty. Send the bytes of a file, or remove the hosted content with DELETE.")
        case .revoked:
            WireError(code: "content.revoked", message: "The transaction is refunded or revoked; its content is no longer available.")
        }
    }
}
