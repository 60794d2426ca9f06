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
    let bundleID: BundleID
    let environment: AppEnvironment
    /// Whom it is about; nil for tests and summaries.
    let account: AccountID?
    /// The first transaction of what it is about.
    let originalID: TransactionID?

    init(
        _ payload: NotificationPayload, signed: SignedNotification, bundleID: BundleID, environment: AppEnvironment, account: AccountID?,
        originalID: TransactionID?
    ) {
        self.uuid = payload.notificationUUID
        self.type = payload.notificationType
        self.subtype = payload.subtype
        self.signedDate = payload.signedDate
        self.signedPayload = signed
        self.attempts = 0
        self.isDelivered = false
        self.nextAttempt = payload.signedDate
        self.bundleID = bundleID
        self.environment = environment
        self.account = account
        self.originalID = originalID
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
