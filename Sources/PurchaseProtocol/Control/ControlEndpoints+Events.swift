package import PurchaseModel

extension ControlEndpoints {
    /// Lists the store's events, oldest first; the query parameters are `after`, `account` and `limit`.
    package static let events = Endpoint<Empty, EventsReply>(.get, "/control/v1/events")
}

/// Events of a store.
package struct EventsReply: Codable, Hashable, Sendable {
    /// The events, oldest first.
    package var events: [StoreEvent]

    /// Creates a reply.
    package init(events: [StoreEvent]) {
        self.events = events
    }
}

/// One event of a local store, as in the event stream.
package struct StoreEvent: Codable, Hashable, Sendable {
    /// The kind of an event; the raw values are sent, and stored.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A customer made a purchase.
        case purchase = "purchase"
        /// The store renewed a subscription.
        case renewal = "renewal"
        /// A device restored its purchases.
        case restore = "restore"
        /// An app finished a transaction.
        case finish = "finish"
        /// An Ask to Buy purchase awaits a parent's approval.
        case deferred = "deferred"
        /// A parent approved or declined a purchase.
        case decision = "decision"
        /// A purchase was interrupted.
        case interruption = "interruption"
        /// The store refused a purchase.
        case refusal = "refusal"
        /// The state of a subscription changed for a reason that no other kind covers.
        case subscription = "subscription"
        /// A customer requested a refund.
        case refundRequest = "refundRequest"
        /// A purchase was refunded.
        case refund = "refund"
        /// A refund was reversed.
        case refundReversal = "refundReversal"
        /// A family member lost access through Family Sharing.
        case revocation = "revocation"
        /// The developer's server sent a request about a purchase.
        case server = "server"
        /// A notification was signed.
        case notification = "notification"
        /// A notification was sent, or its delivery failed.
        case delivery = "delivery"
        /// An account was created or changed.
        case account = "account"
        /// The store's clock was moved, stopped or set to another speed.
        case clock = "clock"
        /// A fault was enabled or disabled, or took effect.
        case fault = "fault"
        /// The store simulated a promoted in-app purchase.
        case promotion = "promotion"
    }

    /// The sequence number of the event; use it as the query parameter `after` to continue after this event.
    package var id: Int64
    /// The date, by the store's clock.
    package var date: Timestamp
    /// The kind of event.
    package var kind: Kind
    /// The app that the event concerns.
    package var bundleID: BundleID?
    /// The account that the event concerns.
    package var account: AccountID?
    /// The transaction that the event concerns.
    package var transactionID: TransactionID?
    /// The first transaction of the same purchase.
    package var originalTransactionID: TransactionID?
    /// The product that the event concerns.
    package var productID: ProductID?
    /// A short detail, such as a notification's type.
    package var detail: String?
    /// The identifier of the notification that was signed or sent.
    package var notificationUUID: String?

    /// Creates an event.
    package init(
        id: Int64, date: Timestamp, kind: Kind, bundleID: BundleID? = nil, account: AccountID? = nil, transactionID: TransactionID? = nil,
        originalTransactionID: TransactionID? = nil, productID: ProductID? = nil, detail: String? = nil,
        notificationUUID: String? = nil
    ) {
        self.id = id
        self.date = date
        self.kind = kind
        self.bundleID = bundleID
        self.account = account
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.detail = detail
        self.notificationUUID = notificationUUID
    }
}
