/// The subject of a notification: one of four kinds.
public enum NotificationSubject: Hashable, Sendable {
    /// A purchase.
    case data(NotificationData)
    /// The result of a renewal date extension for many subscribers.
    case summary(NotificationSummary)
    /// A token of an external purchase, outside of the App Store.
    case externalPurchaseToken(ExternalPurchaseToken)
    /// The app itself.
    case appData(NotificationAppData)
}
