import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// A record before and after a change.
struct RecordChange<Record: Hashable & Sendable>: Hashable, Sendable {
    /// The record before the change; nil for a new record.
    var before: Record?
    /// The record after the change; nil for a deleted record.
    var after: Record?
}

/// The changes to the state of customers within one database transaction.
struct CustomerChanges: Sendable {
    /// A change of the target of a customer's merge.
    struct Merge: Hashable, Sendable {
        let customer: CustomerID
        let before: CustomerID?
        let after: CustomerID?
    }

    /// A signed event that the transaction stored for the first time.
    struct Signed: Sendable {
        let event: SignedEvent
        /// The stored version of the same transaction before the event.
        let stored: SignedEvent?
        /// The newest renewal info of the purchase before an event with a price increase.
        let renewal: RenewalInfoPayload?
    }

    /// A purchase before and after the transaction, with the new signed events.
    struct Purchase: Sendable {
        var record = RecordChange<PurchaseRecord>()
        var isWritten = false
        var signed: [Signed] = []
    }

    private(set) var purchases: [TransactionID: Purchase] = [:]
    /// The purchases in the order of their first changes.
    private(set) var order: [TransactionID] = []
    var grants: [RecordChange<EntitlementGrant>] = []
    var seats: [RecordChange<SeatClaim>] = []
    var postings: [LedgerPosting] = []
    var merges: [Merge] = []
    /// The purchases about which the App Store has answered.
    var lookups: Set<TransactionID> = []
    /// The UUID of the notification that the transaction stored.
    var notification: String?
    var unknownNotifications: [ReceivedNotification] = []

    /// Whether the transaction changed no state that an event can state.
    var isEmpty: Bool {
        purchases.isEmpty && grants.isEmpty && seats.isEmpty && postings.isEmpty && merges.isEmpty && lookups.isEmpty
            && unknownNotifications.isEmpty
    }

    /// The cause of the changes, unless the caller states another cause.
    var cause: FeedEventCause {
        if notification != nil { return .notification }
        return purchases.values.contains { !$0.signed.isEmpty } ? .submission : .request
    }

    mutating func note(_ event: SignedEvent, replacing stored: SignedEvent?, renewal: RenewalInfoPayload?) {
        change(event.transaction.originalTransactionId) { purchase in
            purchase.signed.append(Signed(event: event, stored: stored, renewal: renewal))
        }
    }

    mutating func note(_ record: PurchaseRecord, replacing stored: PurchaseRecord?) {
        change(record.originalTransactionID) { purchase in
            // Keep the first record, because one transaction can change a purchase more than once.
            if !purchase.isWritten { purchase.record.before = stored }
            purchase.isWritten = true
            purchase.record.after = record
        }
    }

    private mutating func change(_ id: TransactionID, _ change: (inout Purchase) -> Void) {
        if purchases[id] == nil { order.append(id) }
        change(&purchases[id, default: Purchase()])
    }

    /// Returns the identifiers of the signed data of a purchase that the transaction stored.
    func originals(of purchase: TransactionID?) -> FeedEvent.Originals {
        let signed = purchase.flatMap { purchases[$0]?.signed } ?? []
        return FeedEvent.Originals(
            notification: notification,
            transactions: signed.suffix(Self.originalLimit).map { signed in
                FeedEvent.Originals.Transaction(
                    originalTransactionID: signed.event.transaction.originalTransactionId,
                    transactionID: signed.event.transaction.transactionId, source: signed.event.source)
            })
    }

    /// Returns the newest signed event of a purchase that the transaction stored.
    func newest(of purchase: TransactionID?) -> SignedEvent? {
        purchase.flatMap { purchases[$0]?.signed }?.map(\.event).max { $0.signedDate < $1.signedDate }
    }

    private static let originalLimit = 10
}

/// An event before its identifier, its order and its date of recording are known.
struct FeedEventDraft: Hashable, Sendable {
    var type: FeedEventType
    /// The cause; nil for the cause of the transaction.
    var cause: FeedEventCause?
    var customer: CustomerID?
    var environment: String?
    var happenedAt: Timestamp
    var signedAt: Timestamp?
    var reason: String?
    var originals: FeedEvent.Originals
    var before: FeedState?
    var after: FeedState?
}
