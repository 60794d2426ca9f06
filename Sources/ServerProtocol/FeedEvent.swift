package import PurchaseModel

/// An event of the feed: a change of the server's answer about a customer, with the states before and after the change.
///
/// A signed event is a fact that the App Store states; an event of the feed states the effect of facts, requests and time.
package struct FeedEvent: Codable, Hashable, Sendable {
    /// The identifiers of the signed data from which an event follows.
    package struct Originals: Codable, Hashable, Sendable {
        /// A signed transaction.
        package struct Transaction: Codable, Hashable, Sendable {
            package var originalTransactionID: TransactionID
            package var transactionID: TransactionID
            /// The source of the signed data: a notification type, `app`, or `receipt`.
            package var source: String

            package init(originalTransactionID: TransactionID, transactionID: TransactionID, source: String) {
                self.originalTransactionID = originalTransactionID
                self.transactionID = transactionID
                self.source = source
            }
        }

        /// The `notificationUUID`; nil without a notification.
        package var notification: String?
        /// The signed transactions, at most ten.
        package var transactions: [Transaction]

        package init(notification: String? = nil, transactions: [Transaction] = []) {
            self.notification = notification
            self.transactions = transactions
        }
    }

    /// The identifier of the event, such as `evt_0f3c…`, by which a reader recognizes a repeated delivery.
    package var id: String
    package var type: FeedEventType
    /// The version of the JSON Schema of the type.
    package var schemaVersion: Int
    package var app: BundleID
    /// The environment of the purchase, such as `Sandbox`; nil for an event without a purchase.
    package var environment: String?
    /// The customer; nil for an unattributed purchase or a notification.
    package var customer: CustomerID?
    /// The current aliases of the customer, at the time of reading.
    package var aliases: [String]
    /// The date of the change: the date that signed data or time determines, otherwise the date of the request.
    package var happenedAt: Timestamp
    /// The signature date of the newest signed data from which the event follows; nil without signed data.
    package var signedAt: Timestamp?
    /// The date when the server recorded the event.
    package var recordedAt: Timestamp
    package var cause: FeedEventCause
    /// The reason why an entitlement, a grant or a seat ended; nil for other types.
    package var reason: String?
    package var originals: Originals
    /// The state before the change; nil if nothing was known.
    package var before: FeedState?
    /// The state after the change; nil if nothing remains.
    package var after: FeedState?

    package init(
        id: String, type: FeedEventType, app: BundleID, environment: String?, customer: CustomerID?, happenedAt: Timestamp,
        signedAt: Timestamp?, recordedAt: Timestamp, cause: FeedEventCause, reason: String?, originals: Originals, before: FeedState?,
        after: FeedState?
    ) {
        self.id = id
        self.type = type
        schemaVersion = type.schemaVersion
        self.app = app
        self.environment = environment
        self.customer = customer
        aliases = []
        self.happenedAt = happenedAt
        self.signedAt = signedAt
        self.recordedAt = recordedAt
        self.cause = cause
        self.reason = reason
        self.originals = originals
        self.before = before
        self.after = after
    }

    private enum CodingKeys: String, CodingKey {
        case id, type, schemaVersion, app, environment, customer, aliases, happenedAt, signedAt, recordedAt, cause, reason, originals
        case before, after
    }

    /// Decodes an event; the type determines the kind of the states.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let type = try values.decode(FeedEventType.self, forKey: .type)
        func state(_ key: CodingKeys) throws -> FeedState? {
            guard values.contains(key), try !values.decodeNil(forKey: key) else { return nil }
            return try FeedState(type.stateKind, from: values.superDecoder(forKey: key))
        }
        id = try values.decode(String.self, forKey: .id)
        self.type = type
        schemaVersion = try values.decode(Int.self, forKey: .schemaVersion)
        app = try values.decode(BundleID.self, forKey: .app)
        environment = try values.decodeIfPresent(String.self, forKey: .environment)
        customer = try values.decodeIfPresent(CustomerID.self, forKey: .customer)
        aliases = try values.decodeIfPresent([String].self, forKey: .aliases) ?? []
        happenedAt = try values.decode(Timestamp.self, forKey: .happenedAt)
        signedAt = try values.decodeIfPresent(Timestamp.self, forKey: .signedAt)
        recordedAt = try values.decode(Timestamp.self, forKey: .recordedAt)
        cause = try values.decode(FeedEventCause.self, forKey: .cause)
        reason = try values.decodeIfPresent(String.self, forKey: .reason)
        originals = try values.decode(Originals.self, forKey: .originals)
        before = try state(.before)
        after = try state(.after)
    }
}

/// The type of an event of the feed.
package enum FeedEventType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server recorded the first signed data of a purchase.
    case purchaseRecorded = "purchase.recorded"
    /// A purchase without a customer received a customer.
    case purchaseAttributed = "purchase.attributed"
    /// A purchase moved to another customer.
    case purchaseTransferred = "purchase.transferred"
    /// A purchase is shared with further customers, or no longer shared.
    case purchaseSharingChanged = "purchase.sharing_changed"
    /// The App Store refunded a transaction, completely or partly.
    case purchaseRefunded = "purchase.refunded"
    /// The App Store reversed a refund.
    case purchaseRefundReversed = "purchase.refund_reversed"
    /// The App Store revoked a transaction without a refund, such as the end of Family Sharing.
    case purchaseRevoked = "purchase.revoked"
    /// A subscription has a further paid period.
    case subscriptionRenewed = "subscription.renewed"
    /// A subscription renewed after a billing issue.
    case subscriptionRecovered = "subscription.recovered"
    /// A renewal failed because of a billing issue.
    case subscriptionBillingIssue = "subscription.billing_issue"
    /// The billing grace period began.
    case subscriptionGracePeriodStarted = "subscription.grace_period_started"
    /// The subscription changed to another product.
    case subscriptionProductChanged = "subscription.product_changed"
    /// The subscription renews to another product than before.
    case subscriptionProductChangeScheduled = "subscription.product_change_scheduled"
    /// Auto-renew was enabled or disabled.
    case subscriptionAutoRenewChanged = "subscription.auto_renew_changed"
    /// A price increase was announced, or the customer consented to a price increase.
    case subscriptionPriceIncrease = "subscription.price_increase"
    /// The number of seats of a subscription changed.
    case subscriptionSeatsChanged = "subscription.seats_changed"
    /// An entitlement became active.
    case entitlementActivated = "entitlement.activated"
    /// An entitlement changed, and stays active or inactive.
    case entitlementChanged = "entitlement.changed"
    /// An entitlement is no longer active.
    case entitlementEnded = "entitlement.ended"
    /// A backend granted an entitlement.
    case grantCreated = "grant.created"
    /// A granted entitlement ended or was revoked.
    case grantEnded = "grant.ended"
    /// The balance of a customer increased.
    case ledgerCredited = "ledger.credited"
    /// The balance of a customer decreased.
    case ledgerDebited = "ledger.debited"
    /// The balance of a customer became negative.
    case ledgerInDebt = "ledger.in_debt"
    /// A member has a seat of a team.
    case seatClaimed = "seat.claimed"
    /// A member no longer has a seat of a team.
    case seatEnded = "seat.ended"
    /// A customer was merged into another customer.
    case customerMerged = "customer.merged"
    /// The merge of a customer was undone.
    case customerMergeUndone = "customer.merge_undone"
    /// The server does not know the type of a signed notification.
    case notificationNotUnderstood = "notification.not_understood"

    /// The version of the JSON Schema of the type.
    package var schemaVersion: Int { 1 }

    /// The kind of the states before and after an event of the type.
    package var stateKind: FeedState.Kind {
        switch self {
        case .entitlementActivated, .entitlementChanged, .entitlementEnded: .entitlement
        case .grantCreated, .grantEnded: .grant
        case .ledgerCredited, .ledgerDebited, .ledgerInDebt: .balance
        case .seatClaimed, .seatEnded: .seat
        case .customerMerged, .customerMergeUndone: .customer
        case .notificationNotUnderstood: .notification
        case .purchaseRecorded, .purchaseAttributed, .purchaseTransferred, .purchaseSharingChanged, .purchaseRefunded,
            .purchaseRefundReversed, .purchaseRevoked, .subscriptionRenewed, .subscriptionRecovered, .subscriptionBillingIssue,
            .subscriptionGracePeriodStarted, .subscriptionProductChanged, .subscriptionProductChangeScheduled,
            .subscriptionAutoRenewChanged, .subscriptionPriceIncrease, .subscriptionSeatsChanged:
            .purchase
        }
    }
}

/// The cause of an event of the feed.
package enum FeedEventCause: String, Codable, Hashable, Sendable, CaseIterable {
    /// A notification that the App Store delivered.
    case notification
    /// A proof that an app or a backend submitted.
    case submission
    /// A request of an app, a backend or an operator, such as a debit or a grant.
    case request
    /// A correction with the data of the App Store Server API.
    case reconciliation
    /// An import of purchases.
    case `import`
    /// A correction by a rebuild.
    case rebuild
    /// The end of a period, a grace period, a lease or a grant.
    case time
    /// A change of the catalog or of the configuration.
    case configuration
}
