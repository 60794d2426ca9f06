import GRDB
import PurchaseModel

/// One notification as it was signed, and what became of it.
struct NotificationRow: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "notifications"

    let uuid: String
    let type: String
    let subtype: String?
    let signedDate: Timestamp
    let signedPayload: SignedNotification
    private var attempts: Int
    private var isDelivered: Bool
    private var nextAttempt: Timestamp?

    init(uuid: String, type: String, subtype: String?, signedDate: Timestamp, signedPayload: SignedNotification) {
        self.uuid = uuid
        self.type = type
        self.subtype = subtype
        self.signedDate = signedDate
        self.signedPayload = signedPayload
        self.attempts = 0
        self.isDelivered = false
        self.nextAttempt = signedDate
    }

    /// How the delivery stands, kept in three columns.
    var delivery: Delivery {
        get {
            let state: Delivery.State = isDelivered ? .delivered : nextAttempt.map { .waiting(until: $0) } ?? .abandoned
            return Delivery(attempts: attempts, state: state)
        }
        set {
            attempts = newValue.attempts
            isDelivered = newValue.state == .delivered
            nextAttempt = newValue.nextAttempt
        }
    }
}
