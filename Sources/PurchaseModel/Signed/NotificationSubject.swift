/// The subject of a notification: a purchase, renewal date extensions, an external purchase token, or the app.
public enum NotificationSubject: Hashable, Sendable {
    /// A purchase that changed.
    case data(NotificationData)
    /// The result of a request to extend the renewal dates of many subscribers.
    case summary(NotificationSummary)
    /// A token that identifies an external purchase, which a customer makes outside of the App Store.
    case externalPurchaseToken(ExternalPurchaseToken)
    /// The app itself.
    case appData(NotificationAppData)
}
