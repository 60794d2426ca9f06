public import PurchaseModel

/// A notification whose own signature and those of the data inside were verified.
public struct VerifiedNotification: Hashable, Sendable {
    /// The notification.
    public let notification: Verified<NotificationPayload>
    /// The transaction inside.
    public let transaction: VerifiedTransaction?
    /// The renewal information inside.
    public let renewalInfo: VerifiedRenewalInfo?
}
