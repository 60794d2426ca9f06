public import PurchaseModel
import PurchaseStorage

/// The result of one reconciliation of an app with the App Store.
public struct ReconciliationReport: Codable, Hashable, Sendable {
    /// The outcome of a reconciliation.
    public enum Outcome: String, Codable, Hashable, Sendable {
        /// The run read the whole notification history and looked up all due purchases.
        case complete
        /// The App Store's rate limit was exceeded.
        case rateLimited = "rate-limited"
        /// The App Store could not be reached, or failed.
        case unavailable
        /// The App Store refused a request; the operator must correct the configuration.
        case refused
        /// The maximum number of requests of one run was reached.
        case requestLimit = "request-limit"
        /// Some signed data could not be verified now; the next run requests the data again.
        case indeterminate
    }

    /// A notification from the App Store that was missing on the server.
    public struct MissingNotification: Codable, Hashable, Sendable {
        /// The `notificationUUID` of the notification.
        public let uuid: String
        /// The type and the subtype, separated by a space.
        public let kind: String
        /// The date when the App Store signed the notification.
        public let signedDate: Timestamp
        /// The time in seconds from the signature until the server recorded the notification.
        public let missingSeconds: Int64
    }

    /// An event of a purchase that was missing on the server, found by a look-up.
    public struct MissingEvent: Codable, Hashable, Sendable {
        /// The `originalTransactionId` of the purchase.
        public let purchase: TransactionID
        /// The `transactionId` of the event.
        public let transactionID: TransactionID
        /// The kind of the event: `transaction`, `refund` or `renewal-state`.
        public let kind: Kind
        /// The time in seconds from the date of the event until its recording; for a renewal state, from the end of the period.
        public let missingSeconds: Int64
    }

    /// The kind of a missing event.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A purchase or a renewal.
        case transaction
        /// A refund or a revocation.
        case refund
        /// Another state of the renewal, such as an expiration, or other data of a recorded transaction.
        case renewalState = "renewal-state"
    }

    /// The maximum number of elements in each of ``notifications`` and ``events``.
    public static let listLimit = 1_000

    /// The bundle identifier of the app.
    public let app: BundleID
    /// The date when the run started.
    public let startedAt: Timestamp
    /// The outcome; after any outcome except ``Outcome/complete``, the next run continues this run.
    public var outcome = Outcome.complete
    /// The reason for an incomplete run, and the next step; nil after a complete run.
    public var message: String?
    /// The earliest signature date of the notifications that the run requested.
    public var since: Timestamp
    /// The date up to which the server has every notification.
    public var completeUntil: Timestamp?
    /// The number of notifications in the requested part of the App Store's history.
    public var found = 0
    /// The number of verified notifications that were missing on the server.
    public var missing = 0
    /// The number of missing notifications that the run recorded.
    public var recorded = 0
    /// The number of notifications and look-up results that were refused.
    public var refused = 0
    /// The number of notifications and look-up results that could not be verified now.
    public var indeterminate = 0
    /// The number of purchases that the run looked up.
    public var lookedUp = 0
    /// The number of events that the look-ups recorded.
    public var recordedEvents = 0
    /// The number of teams whose claims the run compared with the App Store's.
    public var teams = 0
    /// The number of seats that the App Store had released, and that the run released on the server.
    public var releasedSeats = 0
    /// The number of claims that the App Store lists and the server does not know; the run released none of them.
    public var unknownSeatClaims = 0
    /// The recorded notifications, at most ``listLimit``.
    public var notifications: [MissingNotification] = []
    /// The events that the look-ups recorded, at most ``listLimit``.
    public var events: [MissingEvent] = []

    /// Creates the report of a run that begins.
    init(app: BundleID, startedAt: Timestamp, since: Timestamp) {
        self.app = app
        self.startedAt = startedAt
        self.since = since
    }

    /// The outcome and the counts as one line of text.
    public var summary: String {
        """
        \(outcome.rawValue): \(found) notifications found, \(missing) missing, \(recorded) recorded, \(refused) refused, \
        \(indeterminate) indeterminate; \(lookedUp) purchases looked up, \(recordedEvents) events recorded
        """
    }

    /// Counts an event that a look-up recorded, and appends the event to ``events`` if the list has fewer than ``listLimit`` elements.
    mutating func add(_ event: MissingEvent) {
        recordedEvents += 1
        if events.count < Self.listLimit { events.append(event) }
    }

    /// Counts a recorded notification, and appends the notification to ``notifications`` if the list has fewer than ``listLimit`` elements.
    mutating func add(_ record: ReceivedNotification) {
        recorded += 1
        guard notifications.count < Self.listLimit else { return }
        notifications.append(
            MissingNotification(
                uuid: record.uuid, kind: record.kind, signedDate: record.signedDate,
                missingSeconds: max(0, record.receivedAt.milliseconds(since: record.signedDate)) / 1_000))
    }
}
