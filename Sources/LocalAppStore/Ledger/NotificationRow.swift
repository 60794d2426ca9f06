import Foundation
import GRDB
import PurchaseModel

/// One notification as it was signed, and what became of it.
struct NotificationRow: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "notifications"

    let uuid: String
    let type: String
    let subtype: String?
    let signedDate: Timestamp
    /// The form of the second version, which every notification has.
    let signedPayload: SignedNotification
    let bundleID: BundleID
    let environment: AppEnvironment
    /// 1 or 2: which form is sent.
    let version: Int
    /// Whose purchase it is about.
    let account: AccountID?
    /// The first transaction of that purchase.
    let originalID: TransactionID?
    /// The form of the first version; nil for the second, and for what the first does not tell.
    let body: String?
    /// How often it is sent at once; 1 unless somebody wanted it otherwise.
    private(set) var copies = 1
    /// Whether it waits until another one has overtaken it.
    private(set) var isHeld = false
    private var attempts: Int
    private var sendAttempts: String
    private var isDelivered: Bool
    private var nextAttempt: Timestamp?

    init(
        uuid: String, type: String, subtype: String?, signedDate: Timestamp, signedPayload: SignedNotification, bundleID: BundleID,
        environment: AppEnvironment, version: Int = 2, account: AccountID? = nil, originalID: TransactionID? = nil, body: String? = nil
    ) {
        self.uuid = uuid
        self.type = type
        self.subtype = subtype
        self.signedDate = signedDate
        self.signedPayload = signedPayload
        self.bundleID = bundleID
        self.environment = environment
        self.version = version
        self.account = account
        self.originalID = originalID
        self.body = body
        attempts = 0
        sendAttempts = "[]"
        isDelivered = false
        nextAttempt = version == 1 && body == nil ? nil : signedDate
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
        copies = max(copies - 1, 1)
        change { $0.attempted(result, at: now, retries: retries) }
    }

    /// Makes it due once more.
    mutating func repeated(at now: Timestamp) {
        isHeld = false
        change { $0.repeated(at: now) }
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
    func event(_ kind: StoreEvent.Kind, at date: Timestamp, detail: String) -> EventRow {
        EventRow(date: date, kind: kind, bundleID: bundleID, account: account, originalID: originalID, detail: detail)
    }
}
