package import PurchaseModel
package import PurchaseProof

/// The result of StoreKit 2's purchase call.
package enum PurchaseCallResult: Sendable {
    /// The purchase was charged, and the store's signature was verified.
    case purchased(VerifiedTransaction)
    /// The store responded with a transaction that could not be verified.
    case unverified(SignedTransaction, VerificationFailure)
    /// The purchase continues in the background: a parent must approve it, or the store could not be reached after the user's
    /// confirmation.
    case pending
    /// The user canceled the purchase.
    case cancelled
    /// The purchase failed, for this reason.
    case failed(PaymentFailure)
    /// The store can't be reached; the user has confirmed nothing, and nothing will be charged.
    case unreachable
}
