import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// An App Store Server Notification and the state of its delivery, as a row of the database.
struct NotificationRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "notifications"

    let uuid: String
    let type: String
    let subtype: String?
    let signedDate: Timestamp
    /// The signed payload in the format of version 2, which is stored even if the app's server receives version 1.
    let signedPayload: SignedNotification
    let bundleID: BundleID
    let environment: AppEnvironment
    /// The account whose purchase the notification is about; nil if the notification is not about a purchase.
    let account: AccountID?
    /// The original transaction identifier of the purchase that the notification is about; nil if it is not about a purchase.
    let originalID: TransactionID?
    /// The version of App Store Server Notifications in which the notification is sent: 1 or 2.
    private(set) var version = 2
    /// The JSON body in the format of version 1; nil if the notification is sent as version 2 or does not exist in version 1.
    private(set) var body: String?
    /// The number of copies that are still to be sent; more than 1 while a fault simulates duplicate notifications.
    private(set) var copies = 1
    /// Whether the notification is held back until the next one is sent, because a fault simulates delivery in the wrong order.
    private(set) var isHeld = false
    private var attempts = 0
    private var sendAttempts = "[]"
    private var isDelivered = false
    private var nextAttempt: Timestamp?

    init(
        _ payload: NotificationPayload, signed: SignedNotification, bundleID: BundleID, environment: AppEnvironment, account: AccountID?,
        originalID: TransactionID?
    ) {
        self.uuid = payload.notificationUUID
        self.type = payload.notificationType
        self.subtype = payload.subtype
        self.signedDate = payload.signedDate
        self.signedPayload = signed
        self.bundleID = bundleID
        self.environment = environment
        self.account = account
        self.originalID = originalID
        self.nextAttempt = payload.signedDate
    }

    /// Sets the notification to be sent as version 1.
    ///
    /// - Parameter body: The JSON body in the format of version 1; nil if the notification does not exist in version 1 and is not sent.
    mutating func useVersion1(_ body: String?) {
        version = 1
        self.body = body
        if body == nil { nextAttempt = nil }
    }

    /// The notification's type and subtype, separated by a space.
    var title: String { [type, subtype].compactMap { $0 }.joined(separator: " ") }

    /// The JSON body of the request to the developer's server; nil if the notification does not exist in version 1.
    var sentBody: String? {
        if version == 1 { return body }
        return try? String(decoding: WireJSON.encode(NotificationRequest(signedPayload: signedPayload)), as: UTF8.self)
    }

    /// The state of the notification's delivery, which the table stores in four columns.
    var delivery: NotificationAttempts {
        let state: NotificationAttempts.State = isDelivered ? .delivered : nextAttempt.map { .pending(until: $0) } ?? .abandoned
        let made = try? WireJSON.decode([DeliveryAttempt].self, from: Data(sendAttempts.utf8))
        return NotificationAttempts(attempts: made ?? [], state: state)
    }

    /// Records an attempt to send the notification.
    mutating func addAttempt(_ attempt: DeliveryAttempt, retries: NotificationRetries) {
        copies = max(copies, 2) - 1
        change { $0.addAttempt(attempt, retries: retries) }
    }

    /// Schedules one more attempt to send the notification, unless the notification has no body to send.
    mutating func scheduleRetry(at now: Timestamp) {
        guard sentBody != nil else { return }
        isHeld = false
        change { $0.scheduleRetry(at: now) }
    }

    /// Delays, duplicates, holds back or discards the notification as the enabled faults require.
    mutating func apply(_ effects: NotificationEffects) {
        copies = effects.copies
        isHeld = effects.isHeld
        guard let due = nextAttempt else { return }
        nextAttempt = effects.isLost ? nil : due.adding(seconds: effects.delaySeconds)
    }

    private mutating func change(_ change: (inout NotificationAttempts) -> Void) {
        var delivery = delivery
        change(&delivery)
        attempts = delivery.attempts.count
        // Encoding an array of dates, enumeration values and texts never fails.
        sendAttempts = (try? String(decoding: WireJSON.encode(delivery.attempts), as: UTF8.self)) ?? "[]"
        isDelivered = delivery.state == .delivered
        nextAttempt = delivery.nextAttempt
    }

    /// Creates an event for the store's event stream about the notification.
    func event(_ kind: StoreEvent.Kind, _ row: TransactionRecord? = nil, at date: Timestamp, detail: String) -> EventRecord {
        EventRecord(
            date: date, kind: kind, bundleID: bundleID, account: account, transactionID: row?.id, originalID: originalID,
            productID: row?.productID, detail: detail, notificationUUID: uuid
        )
    }
}

extension NotificationRecord: PreparedInsertion {
    static let insertion = InsertStatement<NotificationRecord>([
        ("uuid", { $0.uuid }), ("type", { $0.type }), ("subtype", { $0.subtype }), ("signedDate", { $0.signedDate.milliseconds }),
        ("signedPayload", { $0.signedPayload.compact }), ("bundleID", { $0.bundleID.rawValue }),
        ("environment", { $0.environment.rawValue }), ("account", { $0.account?.rawValue }), ("originalID", { $0.originalID?.rawValue }),
        ("version", { $0.version }), ("body", { $0.body }), ("copies", { $0.copies }), ("isHeld", { $0.isHeld }),
        ("attempts", { $0.attempts }), ("sendAttempts", { $0.sendAttempts }), ("isDelivered", { $0.isDelivered }),
        ("nextAttempt", { $0.nextAttempt?.milliseconds }),
    ])
}
