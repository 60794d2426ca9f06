import PurchaseModel
import PurchaseProtocol

/// The template values of one notification.
struct NotificationRow: Sendable {
    let time: PageTimestamp
    let kind: String
    let uuid: String
    let state: String

    init(_ notification: BackofficeNotification) {
        time = PageTimestamp(notification.date)
        kind = notification.kind
        uuid = notification.uuid
        state = notification.state
    }
}
