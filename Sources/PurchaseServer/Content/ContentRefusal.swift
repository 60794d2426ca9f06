import ContentStorage
import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// The reason why the server issues no download token, or sends no content.
enum ContentRefusal: Error, Equatable {
    /// The product does not exist, or has no content.
    case noContent(ProductID)
    /// The product has no item with the requested name.
    case noItem(ProductID)
    /// The item has no version with the requested name.
    case noVersion(ProductID, ContentItemName)
    /// An object of the product's content is missing in the content storage; the operator of the server must add the object.
    case missing(ProductID, ContentKey)
    /// The content storage can't be read.
    case storage(ProductID, ContentStorageError)
    /// The customer has no purchase of the product.
    case notBought(ProductID)
    /// The purchase of the product was refunded.
    case refunded(ProductID)
    /// The subscription to the product has ended.
    case ended(ProductID)
    /// The customer received too many download tokens for the purchase; the next token is possible after `seconds`.
    case tooManyTokens(seconds: Int)
    /// The request has no download token.
    case tokenMissing
    /// The download token is invalid, or was issued for another product.
    case tokenRefused
    /// The download token has expired.
    case tokenExpired
    /// The downloads with the token have reached the maximum number of requests or bytes.
    case tokenUsedUp
    /// Too many downloads with the token run at the same time.
    case tooManyDownloads

    init(_ error: ContentStorageError, of product: ProductID) {
        switch error {
        case .notFound(let key), .changed(let key): self = .missing(product, key)
        default: self = .storage(product, error)
        }
    }
}

extension ContentRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .noContent, .noItem, .noVersion: .notFound
        case .missing, .storage: .serviceUnavailable
        case .tokenMissing: .unauthorized
        case .tooManyTokens, .tooManyDownloads: .tooManyRequests
        case .notBought, .refunded, .ended, .tokenRefused, .tokenExpired, .tokenUsedUp: .forbidden
        }
    }

    var wireError: WireError {
        switch self {
        case .noContent(let product):
            WireError(code: "content.none", message: "The server has no content for the product \(product).")
        case .noItem(let product):
            WireError(
                code: "content.no-item",
                message: "The content of \(product) has no such item. List the items with: GET /v1/content/PRODUCT/items")
        case .noVersion(let product, let item):
            WireError(
                code: "content.no-version",
                message: "The item \(item) of \(product) has no such version. Omit the version for the current version, or list the "
                    + "versions with: GET /v1/content/PRODUCT/items")
        case .missing(let product, _):
            WireError(code: "content.missing", message: "The content of \(product) is temporarily unavailable. Try again later.")
        case .storage(let product, _):
            WireError(code: "content.unavailable", message: "The content of \(product) is temporarily unavailable. Try again later.")
        case .notBought(let product):
            WireError(
                code: "content.not-bought",
                message:
                    "The customer has no purchase of \(product). Submit the signed transaction or the receipt, or purchase the product.")
        case .refunded(let product):
            WireError(code: "content.refunded", message: "The purchase of \(product) was refunded.")
        case .ended(let product):
            WireError(code: "content.ended", message: "The subscription to \(product) has ended.")
        case .tooManyTokens(let seconds):
            WireError(
                code: "download-token.too-many",
                message: "The customer received the maximum number of download tokens for this purchase. Request the next token in "
                    + "\(seconds) seconds.")
        case .tokenMissing:
            WireError(
                code: "download-token.missing", message: "The request has no download token. Send the header Authorization: Bearer TOKEN.")
        case .tokenRefused:
            WireError(code: "download-token.refused", message: "The download token is not valid for this content. Request a new token.")
        case .tokenExpired:
            WireError(code: "download-token.expired", message: "The download token has expired. Request a new token.")
        case .tokenUsedUp:
            WireError(
                code: "download-token.used-up",
                message: "The downloads with this token have reached the token's limit. Request a new token, and continue with a range.")
        case .tooManyDownloads:
            WireError(
                code: "download-token.busy",
                message: "Too many downloads with this token run at the same time. Repeat the request after a download has ended.")
        }
    }

    var retryAfterSeconds: Int? {
        switch self {
        case .tooManyTokens(let seconds): seconds
        case .tooManyDownloads: 1
        case .missing: 30
        case .storage(_, let error): error.isRetryable ? 5 : 30
        case .noContent, .noItem, .noVersion, .notBought, .refunded, .ended, .tokenMissing, .tokenRefused, .tokenExpired, .tokenUsedUp: nil
        }
    }

    var operatorMessage: String? {
        switch self {
        case .missing(let product, let key):
            "the object \(key) of \(product) is missing in the content storage; add the file, or publish the version again"
        case .storage(_, let error): "the content storage can't be read: \(error)"
        case .noContent, .noItem, .noVersion, .notBought, .refunded, .ended, .tooManyTokens, .tokenMissing, .tokenRefused, .tokenExpired,
            .tokenUsedUp, .tooManyDownloads:
            nil
        }
    }
}
