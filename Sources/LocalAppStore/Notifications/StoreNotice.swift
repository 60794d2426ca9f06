import PurchaseModel
import StoreProtocol

/// A change of a transaction that the store reports: by an event of the event stream, by an App Store Server Notification, or by both.
///
/// A feature creates a notice with everything that its notification contains, and ``NoticeService`` writes the event and the notification.
struct StoreNotice: Sendable {
    /// The kind of the event, and a short text that describes the event; nil for a notice without an event.
    var event: (kind: StoreEvent.Kind, detail: String?)?
    /// The type and the subtype of the notification; nil for a notice without a notification.
    var notification: NotificationKind?
    /// The transaction after the change.
    var transaction: TransactionRecord
    /// The subscription of the transaction after the change, which the database need not contain yet; nil for other products.
    var subscription: SubscriptionRecord?
    /// The reason of a refund request; nil for other notices.
    var consumptionReason: ConsumptionRequestReason?

    /// Creates a notice with a notification and without an event.
    init(_ notification: NotificationKind, about row: TransactionRecord, _ subscription: SubscriptionRecord? = nil) {
        self.notification = notification
        transaction = row
        self.subscription = subscription
    }

    /// Creates a notice with an event.
    init(
        _ event: StoreEvent.Kind, detail: String? = nil, _ notification: NotificationKind? = nil, about row: TransactionRecord,
        _ subscription: SubscriptionRecord? = nil
    ) {
        self.event = (event, detail)
        self.notification = notification
        transaction = row
        self.subscription = subscription
    }
}
