import GRDB
import PurchaseModel

/// A device's payment that the store did not refuse.
struct PaymentRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "payments"

    /// The state of a payment; the raw values are stored.
    enum State: String, Codable {
        /// The payment is completed: a transaction exists.
        case completed = "completed"
        /// The payment is pending a parent's approval.
        case deferred = "deferred"
        /// A parent declined the payment.
        case declined = "declined"
        /// The payment is interrupted until the account resolves an issue.
        case interrupted = "interrupted"
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
    /// The type of the requested offer; nil for none, although an eligible account then still gets the introductory offer.
    var offerType: Int?
    /// The identifier of the requested offer.
    var offerID: String?
    /// The signed eligibility for the introductory offer from the developer's server; nil if the store decides about eligibility.
    var allowsIntroductoryOffer: Bool?
    /// The application username if it is not a UUID; a UUID is the app account token.
    var applicationUsername: String?
    /// The resulting transaction: a new one, or the running period's transaction for a change that takes effect at the renewal.
    var result: TransactionID?

    /// Whether another payment has the same contents.
    func isRepeat(of other: PaymentRecord) -> Bool {
        account == other.account && productID == other.productID && quantity == other.quantity
            && appAccountToken == other.appAccountToken && applicationUsername == other.applicationUsername && offerType == other.offerType
            && offerID == other.offerID && allowsIntroductoryOffer == other.allowsIntroductoryOffer
    }
}
