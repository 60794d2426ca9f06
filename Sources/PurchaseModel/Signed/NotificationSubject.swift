/// What a notification is about: one of four things.
public enum NotificationSubject: Hashable, Sendable {
    /// A purchase.
    case data(NotificationData)
    /// How the extension of many renewal dates went.
    case summary(NotificationSummary)
    /// A token of a purchase outside of the store.
    case externalPurchaseToken(ExternalPurchaseToken)
    /// The app itself.
    case appData(NotificationAppData)
}
