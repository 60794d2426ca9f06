import GRDB
import PurchaseModel
import PurchaseProtocol

/// One thing that happened in the store, for people who watch: never read to decide anything.
struct EventRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "events"

    var id: Int64?
    var date: Timestamp
    /// What happened, such as `purchase`, `renewal` or `refund`.
    var kind: StoreEvent.Kind
    var bundleID: BundleID?
    var account: AccountID?
    var transactionID: TransactionID?
    var originalID: TransactionID?
    var productID: ProductID?
    /// A short text for people, such as a notification's type.
    var detail: String?
    /// Which notification was signed or sent.
    var notificationUUID: String?

    /// The event as the wire has it.
    var event: StoreEvent {
        StoreEvent(
            id: id ?? 0, date: date, kind: kind, bundleID: bundleID, account: account, transaction: transactionID,
            originalTransaction: originalID, productID: productID, detail: detail,
            notification: notificationUUID
        )
    }
}
