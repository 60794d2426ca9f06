import PurchaseProof

/// The refusal of a notification.
enum NotificationRefusal: Error, Equatable {
    /// The notification, or a nested JWS, is not verified.
    case unverified(VerificationFailure)
    /// The nested transaction and renewal info concern different purchases.
    case mixed
}
