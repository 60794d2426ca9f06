import GRDB
import PurchaseModel

/// One payment that a device sent and that was not refused.
struct PaymentRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "payments"

    /// Where a payment stands.
    enum State: String, Codable {
        /// Settled: there is a transaction.
        case settled
        /// Waits for a parent.
        case deferred
        /// A parent said no.
        case declined
        /// Was interrupted, and waits until that is resolved.
        case interrupted
    }

    var id: PaymentID
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var productID: ProductID
    var quantity: Int
    var appAccountToken: CustomerID?
    var state: State
    var bundleID: BundleID
    /// The kind of offer that it asks for; nil for none, which still means the introductory offer for who may have it.
    var offerType: Int?
    /// Which offer.
    var offerID: String?
    /// What the developer's server signed on whether the customer may have the introductory offer; nil leaves that to the store.
    var allowsIntroductory: Bool?
    /// The application username when it is no UUID, which would be the token.
    var username: String?
    /// The transaction that it led to: a new one, or for a change that waits for the renewal that of the running period.
    var result: TransactionID?

    /// Whether the other one asks for the same thing.
    func isRepeat(of other: PaymentRecord) -> Bool {
        account == other.account && productID == other.productID && quantity == other.quantity
            && appAccountToken == other.appAccountToken && username == other.username && offerType == other.offerType
            && offerID == other.offerID && allowsIntroductory == other.allowsIntroductory
    }
}
