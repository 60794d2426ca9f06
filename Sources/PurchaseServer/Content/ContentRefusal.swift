import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The reason why the server issues no download token, or sends no content.
enum ContentRefusal: Error, Equatable {
    /// The product does not exist, or has no file.
    case noFile(ProductID)
    /// The product's file is missing in the content folder; the operator of the server must add it.
    case fileMissing(ProductID)
    /// The customer has no purchase of the product.
    case notBought(ProductID)
    /// The purchase of the product was refunded.
    case refunded(ProductID)
    /// The subscription to the product has ended.
    case ended(ProductID)
    /// The request has no download token.
    case tokenMissing
    /// The download token is invalid, or belongs to another product.
    case tokenRefused
    /// The download token has expired.
    case tokenExpired
}

extension ContentRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .noFile: .notFound
        case .fileMissing: .serviceUnavailable
        case .tokenMissing: .unauthorized
        case .notBought, .refunded, .ended, .tokenRefused, .tokenExpired: .forbidden
        }
    }

    var wireError: WireError {
        switch self {
        case .noFile(let product):
            WireError(code: "content.none", message: "The server has no file for the product \(product).")
        case .fileMissing(let product):
            WireError(code: "content.missing", message: "The file of \(product) is temporarily unavailable. Try again later.")
        case .notBought(let product):
            WireError(
                code: "content.not-bought",
                message:
                    "The customer has no purchase of \(product). Submit the signed transaction or the receipt, or purchase the product.")
        case .refunded(let product):
            WireError(code: "content.refunded", message: "The purchase of \(product) was refunded.")
        case .ended(let product):
            WireError(code: "content.ended", message: "The subscription to \(product) has ended.")
        case .tokenMissing:
            WireError(
                code: "download-token.missing", message: "The request has no download token. Send the header Authorization: Bearer TOKEN.")
        case .tokenRefused:
            WireError(code: "download-token.refused", message: "The download token is not valid for this content. Request a new token.")
        case .tokenExpired:
            WireError(code: "download-token.expired", message: "The download token has expired. Request a new token.")
        }
    }
}
