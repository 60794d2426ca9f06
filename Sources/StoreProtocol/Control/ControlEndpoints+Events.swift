public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the events of a local store, oldest first; the query parameters are `after`, `account` and `limit`.
    package static let events = Endpoint<Empty, EventsReply>(.get, "/control/v1/events")
}

/// Events of a local store.
package struct EventsReply: Codable, Hashable, Sendable {
    /// The events, oldest first.
    package var events: [StoreEvent]

    /// Creates a reply.
    package init(events: [StoreEvent]) {
        self.events = events
    }
}

/// An event of a local store, such as a purchase or a renewal.
public struct StoreEvent: Codable, Hashable, Sendable {
    /// The kind of an event; the raw values are part of the JSON format, and stored.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A customer made a purchase.
        case purchase = "purchase"
        /// The store renewed a subscription.
        case renewal = "renewal"
        /// A device restored the account's purchases.
        case restore = "restore"
        /// An app finished a transaction.
        case finish = "finish"
        /// An Ask to Buy purchase awaits a parent's approval.
        case deferred = "deferred"
        /// A parent approved or declined a purchase, or the interruption of a purchase was resolved.
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

    /// The sequence number of the event; as the query parameter `after`, it requests the events that follow.
    public var id: Int64
    /// The date of the event, by the store's clock.
    public var date: Timestamp
    /// The kind of event.
    public var kind: Kind
    /// The app that the event concerns; nil for none.
    public var bundleID: BundleID?
    /// The account that the event concerns; nil for none.
    public var account: AccountID?
    /// The transaction that the event concerns; nil for none.
    public var transactionID: TransactionID?
    /// The original transaction of the purchase that the event concerns; nil for none.
    public var originalTransactionID: TransactionID?
    /// The product that the event concerns; nil for none.
    public var productID: ProductID?
    /// A short description of the event's details, such as a notification type; nil for none.
    public var detail: String?
    /// The `notificationUUID` of the notification that was signed or sent; nil for other events.
    public var notificationUUID: String?
    /// The time from the request to the response or the failure, in milliseconds; nil for events other than deliveries, and if no request
    /// was sent.
    public var milliseconds: Int64?

    /// Creates an event.
    package init(
        id: Int64, date: Timestamp, kind: Kind, bundleID: BundleID? = nil, account: AccountID? = nil, transactionID: TransactionID? = nil,
        originalTransactionID: TransactionID? = nil, productID: ProductID? = nil, detail: String? = nil,
        notificationUUID: String? = nil, milliseconds: Int64? = nil
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
        self.milliseconds = milliseconds
    }
}
