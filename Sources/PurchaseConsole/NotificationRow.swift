import PurchaseModel
import ServerProtocol

/// The values of a notification that the page's template shows in a row.
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
