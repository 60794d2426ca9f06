import PurchaseModel
import PurchaseProof

/// Why content, or a ticket for it, was refused.
enum ContentRefusal: Error, Equatable {
    /// There is no such product, or it has no file.
    case noFile(ProductID)
    /// The product's file is not in the content folder; whoever runs the server has to put it there.
    case fileMissing(ProductID)
    /// The receipt is not verified: it is refused, or its verification is indeterminate.
    case receiptNotVerified(VerificationFailure)
    /// The receipt does not show the product.
    case notBought(ProductID)
    /// The product was bought, and the money was given back.
    case refunded(ProductID)
    /// The product was subscribed to, and the subscription has ended.
    case ended(ProductID)
    /// The ticket was not made by this server for this product.
    case ticketRefused
    /// The ticket's time is over.
    case ticketExpired
}
