import PurchaseModel
import PurchaseProtocol

/// A notification in the words of the template.
struct NotificationRow: Sendable {
    let moment: PageMoment
    let kind: String
    let uuid: String
    let state: String

    init(_ notification: BackofficeNotification) {
        moment = PageMoment(notification.date)
        kind = notification.kind
        uuid = notification.uuid
        state = notification.state
    }
}
