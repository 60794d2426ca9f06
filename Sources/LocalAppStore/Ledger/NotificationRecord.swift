import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

/// One notification as it was signed, and what became of it.
struct NotificationRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "notifications"

    let uuid: String
    let type: String
    let subtype: String?
    let signedDate: Timestamp
    /// The form of the second version, which every notification has.
    let signedPayload: SignedNotification
    let bundleID: BundleID
    let environment: AppEnvironment
    /// Whom it is about; nil for tests and summaries.
    let account: AccountID?
    /// The first transaction of what it is about.
    let originalID: TransactionID?
    /// 1 or 2: which form is sent.
    private(set) var version = 2
    /// The form of the first version; nil for the second, and for what the first does not tell.
    private(set) var body: String?
    /// How often it is sent at once.
    private(set) var copies = 1
    /// Whether it waits until another one has overtaken it.
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

    /// Sends the form of the first version; nil for what that does not tell, which is never sent.
    mutating func useVersion1(_ body: String?) {
        version = 1
        self.body = body
        if body == nil { nextAttempt = nil }
    }

    /// Type and subtype in one line.
    var title: String { [type, subtype].compactMap { $0 }.joined(separator: " ") }

    /// What is posted; nil for what the first version does not tell.
    var sentBody: String? {
        if version == 1 { return body }
        return try? String(decoding: WireJSON.encode(NotificationRequest(signedPayload: signedPayload)), as: UTF8.self)
    }

    /// How the delivery stands, kept in four columns.
    var delivery: Delivery {
        let state: Delivery.State = isDelivered ? .delivered : nextAttempt.map { .waiting(until: $0) } ?? .abandoned
        let made = try? WireJSON.decode([SendAttempt].self, from: Data(sendAttempts.utf8))
        return Delivery(attempts: made ?? [], state: state)
    }

    /// Keeps the outcome of an attempt.
    mutating func attempted(_ result: SendAttemptResult, at now: Timestamp, retries: NotificationRetries) {
        copies = max(copies, 2) - 1
        change { $0.attempted(result, at: now, retries: retries) }
    }

    /// Makes it due once more, unless there is nothing to send.
    mutating func repeated(at now: Timestamp) {
        guard sentBody != nil else { return }
        isHeld = false
        change { $0.repeated(at: now) }
    }

    /// Makes it come to harm on its way.
    mutating func suffer(_ effects: NotificationEffects) {
        copies = effects.copies
        isHeld = effects.isHeld
        guard let due = nextAttempt else { return }
        nextAttempt = effects.isLost ? nil : due.adding(seconds: effects.delaySeconds)
    }

    private mutating func change(_ change: (inout Delivery) -> Void) {
        var delivery = delivery
        change(&delivery)
        attempts = delivery.attempts.count
        // Dates and names always encode.
        sendAttempts = (try? String(decoding: WireJSON.encode(delivery.attempts), as: UTF8.self)) ?? "[]"
        isDelivered = delivery.state == .delivered
        nextAttempt = delivery.nextAttempt
    }

    /// An event about it.
    func event(_ kind: StoreEvent.Kind, _ row: TransactionRecord? = nil, at date: Timestamp, detail: String) -> EventRecord {
        EventRecord(
            date: date, kind: kind, bundleID: bundleID, account: account, transactionID: row?.id, originalID: originalID,
            productID: row?.productID, detail: detail, notificationUUID: uuid
        )
    }
}
