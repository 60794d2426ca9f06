extension Product {
    /// The result of a purchase that threw no error.
    public enum PurchaseResult: Sendable {
        /// The purchase succeeded; deliver the product, then call ``Transaction/finish()``.
        case success(VerificationResult<Transaction>)
        /// The user canceled the purchase.
        case userCancelled
        /// The purchase is pending, for example until a parent approves it; ``Transaction/updates`` delivers the transaction.
        case pending
    }
}
