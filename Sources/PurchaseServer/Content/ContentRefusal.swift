import PurchaseModel
import PurchaseProof

/// The reason why the server issues no download token, or sends no content.
enum ContentRefusal: Error, Equatable {
    /// The product does not exist, or has no file.
    case noFile(ProductID)
    /// The product's file is missing in the content folder; the operator of the server must add it.
    case fileMissing(ProductID)
    /// The verification of the receipt failed: the receipt is refused, or the result is indeterminate.
    case receiptNotVerified(VerificationFailure)
    /// The receipt contains no purchase of the product.
    case notBought(ProductID)
    /// The purchase of the product was refunded.
    case refunded(ProductID)
    /// The subscription to the product has ended.
    case ended(ProductID)
    /// The download token is invalid, or belongs to another product.
    case ticketRefused
    /// The download token has expired.
    case ticketExpired
}
