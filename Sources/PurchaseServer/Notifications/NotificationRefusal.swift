import PurchaseProof

/// The reason why the server refuses a notification.
enum NotificationRefusal: Error, Equatable {
    /// The verification of the notification, or of a JWS in it, failed.
    case unverified(VerificationFailure)
    /// The transaction and the renewal info in the notification have different values of `originalTransactionId`.
    case mixed
}
