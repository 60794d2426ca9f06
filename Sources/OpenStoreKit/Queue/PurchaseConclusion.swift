package import PurchaseModel
package import PurchaseProof

/// How StoreKit 2's purchase call ends; there is exactly one for each call.
package enum PurchaseConclusion: Sendable {
    /// The store charged, and its signature was verified.
    case purchased(VerifiedTransaction)
    /// The store answered with something that could not be verified.
    case unverified(SignedTransaction, VerificationFailure)
    /// A parent has to approve it, or the store could not be reached after the user had confirmed: it goes on in the background.
    case pending
    /// The user cancelled.
    case cancelled
    /// It can't succeed.
    case failed(PaymentFailure)
    /// The store can't be reached; nothing was confirmed, nothing will be charged.
    case unreachable
}
