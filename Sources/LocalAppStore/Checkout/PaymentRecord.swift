import GRDB
import PurchaseModel

/// A payment that the store accepted, as a row of the database; a refused payment has no row.
struct PaymentRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "payments"

    /// The state of a payment; the database stores the raw values.
    enum State: String, Codable {
        /// The payment is completed: a transaction exists.
        case completed = "completed"
        /// The payment is pending a parent's approval.
        case deferred = "deferred"
        /// A parent declined the payment.
        case declined = "declined"
        /// The payment is interrupted until the account resolves an issue, such as new terms and conditions.
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
    /// The `offerType` of the offer that the app requested; nil if the app requested no offer.
    ///
    /// Without a requested offer, an eligible account still gets the introductory offer.
    var offerType: Int?
    /// The identifier of the offer that the app requested; nil if the app requested none or the introductory offer.
    var offerID: String?
    /// The eligibility for the introductory offer that the developer's server signed; nil if the store determines the eligibility.
    var allowsIntroductoryOffer: Bool?
    /// The billing plan that the app requested; nil for the upfront plan.
    var billingPlan: BillingPlanType?
    /// The number of seats that the account wants to have after the payment; nil for a payment that does not state a number.
    var seats: Int?
    /// The payment's `applicationUsername` if it is not a UUID; a UUID is stored as ``appAccountToken``.
    var applicationUsername: String?
    /// The transaction that the payment led to.
    ///
    /// For a change of a subscription that takes effect at the next renewal, the transaction is the current period's.
    var result: TransactionID?

    /// Returns whether another payment with the same identifier has the same contents, so that it is a repetition of the same request.
    func isRepeat(of other: PaymentRecord) -> Bool {
        account == other.account && productID == other.productID && quantity == other.quantity
            && appAccountToken == other.appAccountToken
            && applicationUsername.map(OpaqueText.init) == other.applicationUsername.map(OpaqueText.init) && offerType == other.offerType
            && offerID.map(OpaqueText.init) == other.offerID.map(OpaqueText.init)
            && allowsIntroductoryOffer == other.allowsIntroductoryOffer && billingPlan == other.billingPlan && seats == other.seats
    }
}

extension PaymentRecord: PreparedInsertion {
    static let insertion = InsertStatement<PaymentRecord>([
        ("id", { $0.id.rawValue }), ("account", { $0.account.rawValue }), ("device", { $0.device.rawValue }),
        ("appVersion", { $0.appVersion }), ("productID", { $0.productID.rawValue }), ("quantity", { $0.quantity }),
        ("appAccountToken", { $0.appAccountToken?.rawValue }), ("state", { $0.state.rawValue }), ("bundleID", { $0.bundleID.rawValue }),
        ("offerType", { $0.offerType }), ("offerID", { $0.offerID }), ("allowsIntroductoryOffer", { $0.allowsIntroductoryOffer }),
        ("billingPlan", { $0.billingPlan?.rawValue }), ("seats", { $0.seats }), ("applicationUsername", { $0.applicationUsername }),
        ("result", { $0.result?.rawValue }),
    ])
}

/// The outcome of a payment that the store accepts.
enum PaymentOutcome: Sendable {
    /// The payment is completed with a transaction, which this request or an earlier request with the same payment created.
    case purchased(TransactionRecord)
    /// The payment is pending until a parent approves or declines it.
    case deferred
    /// The payment is pending until the account resolves an issue.
    case interrupted
}

/// The error of a payment that requires Ask to Buy approval, if the user has not yet agreed to ask a parent for approval.
struct AskToBuyConfirmationRequired: Error {}
