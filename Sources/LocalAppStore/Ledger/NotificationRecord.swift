import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

/// A signed notification and the state of its delivery.
struct NotificationRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "notifications"

    let uuid: String
    let type: String
    let subtype: String?
    let signedDate: Timestamp
    /// The signed payload of version 2, which every notification has.
    let signedPayload: SignedNotification
    let bundleID: BundleID
    let environment: AppEnvironment
    /// The account that the notification is about; nil for test notifications and summaries.
    let account: AccountID?
    /// The original transaction of the purchase that the notification is about.
    let originalID: TransactionID?
    /// The version of the notification that is sent: 1 or 2.
    private(set) var version = 2
    /// The version 1 body; nil for a version 2 notification, and for events that version 1 does not report.
    private(set) var body: String?
    /// The number of times that the notification is sent at once.
    private(set) var copies = 1
    /// Whether the notification waits until a later notification has overtaken it.
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

    /// Sends the version 1 body; nil for an event that version 1 does not report, which is never sent.
    mutating func useVersion1(_ body: String?) {
        version = 1
        self.body = body
        if body == nil { nextAttempt = nil }
    }

    /// The type and the subtype on one line.
    var title: String { [type, subtype].compactMap { $0 }.joined(separator: " ") }

    /// The body that is sent; nil for an event that version 1 does not report.
    var sentBody: String? {
        if version == 1 { return body }
        return try? String(decoding: WireJSON.encode(NotificationRequest(signedPayload: signedPayload)), as: UTF8.self)
    }

    /// The state of the delivery, stored in four columns.
    var delivery: Delivery {
        let state: Delivery.State = isDelivered ? .delivered : nextAttempt.map { .pending(until: $0) } ?? .abandoned
        let made = try? WireJSON.decode([SendAttempt].self, from: Data(sendAttempts.utf8))
        return Delivery(attempts: made ?? [], state: state)
    }

    /// Records the outcome of an attempt.
    mutating func addAttempt(_ result: SendAttemptResult, at now: Timestamp, retries: NotificationRetries) {
        copies = max(copies, 2) - 1
        change { $0.addAttempt(result, at: now, retries: retries) }
    }

    /// Schedules one more attempt, unless there is nothing to send.
    mutating func scheduleRetry(at now: Timestamp) {
        guard sentBody != nil else { return }
        isHeld = false
        change { $0.scheduleRetry(at: now) }
    }

    /// Applies the effects of faults to the delivery.
    mutating func apply(_ effects: NotificationEffects) {
        copies = effects.copies
        isHeld = effects.isHeld
        guard let due = nextAttempt else { return }
        nextAttempt = effects.isLost ? nil : due.adding(seconds: effects.delaySeconds)
    }

    private mutating func change(_ change: (inout Delivery) -> Void) {
        var delivery = delivery
        change(&delivery)
        attempts = delivery.attempts.count
        // The encoding of dates and names never fails.
        sendAttempts = (try? String(decoding: WireJSON.encode(delivery.attempts), as: UTF8.self)) ?? "[]"
        isDelivered = delivery.state == .delivered
        nextAttempt = delivery.nextAttempt
    }

    /// An event about the notification.
    func event(_ kind: StoreEvent.Kind, _ row: TransactionRecord? = nil, at date: Timestamp, detail: String) -> EventRecord {
        EventRecord(
            date: date, kind: kind, bundleID: bundleID, account: account, transactionID: row?.id, originalID: originalID,
            productID: row?.productID, detail: detail, notificationUUID: uuid
        )
    }
}
