import PurchaseProof

/// Why a notification was not taken in.
enum NotificationRefusal: Error, Equatable {
    /// It, or the signed data inside, could not be verified.
    case unverified(VerificationFailure)
    /// The transaction and the renewal information inside are about different purchases.
    case mixed
}
