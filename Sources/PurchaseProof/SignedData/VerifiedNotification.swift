public import PurchaseModel

/// A notification whose own signature and those of the data inside were verified.
public struct VerifiedNotification: Hashable, Sendable {
    /// The notification.
    public let notification: Verified<NotificationPayload>
    /// The transaction inside.
    public let transaction: VerifiedTransaction?
    /// The renewal information inside.
    public let renewalInfo: VerifiedRenewalInfo?
    /// The app transaction inside.
    public let appTransaction: VerifiedAppTransaction?

    init(
        notification: Verified<NotificationPayload>, transaction: VerifiedTransaction? = nil, renewalInfo: VerifiedRenewalInfo? = nil,
        appTransaction: VerifiedAppTransaction? = nil
    ) {
        self.notification = notification
        self.transaction = transaction
        self.renewalInfo = renewalInfo
        self.appTransaction = appTransaction
    }
}
