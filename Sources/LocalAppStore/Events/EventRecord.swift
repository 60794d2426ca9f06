import GRDB
import PurchaseModel
import StoreProtocol

/// An event of the store's event stream, such as a purchase or a renewal, as a row of the database.
///
/// Events are for display: they do not determine the outcome of any purchase, renewal or refund.
struct EventRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "events"

    var id: Int64?
    var date: Timestamp
    /// The kind of the event, such as `purchase`, `renewal` or `refund`.
    var kind: StoreEvent.Kind
    var bundleID: BundleID?
    var account: AccountID?
    var transactionID: TransactionID?
    var originalID: TransactionID?
    var productID: ProductID?
    /// A short text that describes the event, such as a notification's type; nil if there is none.
    var detail: String?
    /// The UUID of the notification that was signed or sent; nil for an event that is not about a notification.
    var notificationUUID: String?
    /// The duration of the request with a notification; nil for other events, and if no request was sent.
    var milliseconds: Int64?

    /// The event as the control API returns it.
    var event: StoreEvent {
        StoreEvent(
            id: id ?? 0, date: date, kind: kind, bundleID: bundleID, account: account, transactionID: transactionID,
            originalTransactionID: originalID, productID: productID, detail: detail,
            notificationUUID: notificationUUID, milliseconds: milliseconds
        )
    }
}

extension EventRecord: PreparedInsertion {
    static let insertion = InsertStatement<EventRecord>([
        ("date", { $0.date.milliseconds }), ("kind", { $0.kind.rawValue }), ("bundleID", { $0.bundleID?.rawValue }),
        ("account", { $0.account?.rawValue }), ("transactionID", { $0.transactionID?.rawValue }),
        ("originalID", { $0.originalID?.rawValue }), ("productID", { $0.productID?.rawValue }), ("detail", { $0.detail }),
        ("notificationUUID", { $0.notificationUUID }), ("milliseconds", { $0.milliseconds }),
    ])
}
