package import PurchaseModel

extension ControlEndpoints {
    /// What happened, oldest first; the query may have `after`, `account` and `limit`.
    package static let events = Endpoint<Empty, EventsReply>(.get, "/control/v1/events")
}

/// What happened in a store.
package struct EventsReply: Codable, Hashable, Sendable {
    /// Oldest first.
    package var events: [StoreEvent]

    /// Creates a reply.
    package init(events: [StoreEvent]) {
        self.events = events
    }
}

/// One thing that happened in a local store, as those who watch it are told.
package struct StoreEvent: Codable, Hashable, Sendable {
    /// What can happen.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A customer bought.
        case purchase
        /// The store renewed a subscription.
        case renewal
        /// A device restored its purchases.
        case restore
        /// An app said that it delivered.
        case finish
        /// A purchase waits for a parent.
        case deferred
        /// A parent decided.
        case decision
        /// A purchase was interrupted.
        case interruption
        /// The store refused a purchase.
        case refusal
        /// The state of a subscription changed otherwise.
        case subscription
        /// Money was asked back.
        case refundRequest
        /// Money was given back.
        case refund
        /// A refund was taken back.
        case refundReversal
        /// A member of a family lost what was shared.
        case revocation
        /// The developer's server sent something about a purchase.
        case server
        /// A notification was signed.
        case notification
        /// A notification was sent, or could not be.
        case delivery
        /// An account was opened or changed.
        case account
        /// The time was moved, stopped or made to run at another speed.
        case clock
        /// A fault was switched on or off, or took effect.
        case fault
        /// The store offered a product of its own accord.
        case promotion
    }

    /// Counts up; what was read up to here can be asked for as `after`.
    package var id: Int64
    /// When, by the store's time.
    package var date: Timestamp
    /// What.
    package var kind: Kind
    /// In which app.
    package var bundleID: BundleID?
    /// Whose.
    package var account: AccountID?
    /// Which transaction.
    package var transaction: TransactionID?
    /// The first transaction of the same purchase.
    package var originalTransaction: TransactionID?
    /// Which product.
    package var productID: ProductID?
    /// A few words more, such as a notification's type.
    package var detail: String?
    /// Which notification was signed or sent.
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
