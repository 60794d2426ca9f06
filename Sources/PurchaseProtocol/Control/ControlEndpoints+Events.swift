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
    /// The kind of an event.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A customer made a purchase.
        case purchase
        /// The store renewed a subscription.
        case renewal
        /// A device restored its purchases.
        case restore
        /// An app finished a transaction.
        case finish
        /// An Ask to Buy purchase awaits a parent's approval.
        case deferred
        /// A parent approved or declined a purchase.
        case decision
        /// A purchase was interrupted.
        case interruption
        /// The store refused a purchase.
        case refusal
        /// The state of a subscription changed for a reason without a kind of its own.
        case subscription
        /// A customer requested a refund.
        case refundRequest
        /// A purchase was refunded.
        case refund
        /// A refund was reversed.
        case refundReversal
        /// A family member lost access through Family Sharing.
        case revocation
        /// The developer's server sent a request about a purchase.
        case server
        /// A notification was signed.
        case notification
        /// A notification was sent, or its delivery failed.
        case delivery
        /// An account was created or changed.
        case account
        /// The store's clock was moved, stopped or set to another speed.
        case clock
        /// A fault was enabled or disabled, or took effect.
        case fault
        /// The store simulated a promoted in-app purchase.
        case promotion
    }

    /// The sequence number of the event; the query parameter `after` takes it to continue from this event.
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
    package var transaction: TransactionID?
    /// The first transaction of the same purchase.
    package var originalTransaction: TransactionID?
    /// The product that the event concerns.
    package var productID: ProductID?
    /// A short detail, such as a notification's type.
    package var detail: String?
    /// The identifier of the notification that was signed or sent.
    package var notification: String?

    /// Creates an event.
    package init(
        id: Int64, date: Timestamp, kind: Kind, bundleID: BundleID? = nil, account: AccountID? = nil, transaction: TransactionID? = nil,
        originalTransaction: TransactionID? = nil, productID: ProductID? = nil, detail: String? = nil,
        notification: String? = nil
    ) {
        self.id = id
        self.date = date
        self.kind = kind
        self.bundleID = bundleID
        self.account = account
        self.transaction = transaction
        self.originalTransaction = originalTransaction
        self.productID = productID
        self.detail = detail
        self.notification = notification
    }
}
