extension Product {
    /// The result of a purchase call without an error.
    public enum PurchaseResult: Sendable {
        /// It was paid; deliver what was bought, then call ``Transaction/finish()``.
        case success(VerificationResult<Transaction>)
        /// The user cancelled.
        case userCancelled
        /// Somebody has to do something first, such as a parent who approves it; ``Transaction/updates`` tells how it ended.
        case pending
    }
}
