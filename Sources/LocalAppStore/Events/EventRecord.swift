import GRDB
import PurchaseModel
import PurchaseProtocol

/// An event of the store, for display only: the store never makes a decision from events.
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
    /// A short text for display, such as a notification's type.
    var detail: String?
    /// The identifier of the notification that was signed or sent.
    var notificationUUID: String?

    /// The event in the control API's format.
    var event: StoreEvent {
        StoreEvent(
            id: id ?? 0, date: date, kind: kind, bundleID: bundleID, account: account, transactionID: transactionID,
            originalTransactionID: originalID, productID: productID, detail: detail,
            notificationUUID: notificationUUID
        )
    }
}
