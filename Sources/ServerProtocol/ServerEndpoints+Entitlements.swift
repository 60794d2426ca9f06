package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads all entitlements of the customer; the query parameter `at` names a past moment, `include=evidence` adds the signed data.
    package static let entitlements = Endpoint<Empty, EntitlementsReply>(.get, "/v1/customer/entitlements")
    /// Reads one entitlement of the customer, with the same query parameters; an unknown name is not active.
    package static let entitlement = Endpoint<Empty, EntitlementReply>(.get, "/v1/customer/entitlements/{entitlement}")
    /// Lists the signed events and the grants that concern an entitlement, in their order.
    package static let explainEntitlement = Endpoint<Empty, EntitlementExplanation>(
        .get, "/v1/customer/entitlements/{entitlement}/explanation")
    /// Grants an entitlement without a purchase; for backends.
    package static let grantEntitlement = Endpoint<GrantEntitlementRequest, EntitlementReply>(
        .post, "/v1/customer/entitlements/{entitlement}/grants")
    /// Revokes all granted entitlements with the name; entitlements of purchases stay; for backends.
    package static let revokeGrants = Endpoint<Empty, EntitlementReply>(.delete, "/v1/customer/entitlements/{entitlement}/grants")
}

/// An entitlement of a customer.
package struct EntitlementReply: Codable, Hashable, Sendable {
    /// The name.
    package var name: EntitlementName
    /// Whether the customer may use it.
    package var isActive: Bool
    /// The state of the purchase that decides; `none` without a purchase or grant.
    package var state: Access.State
    /// The end of the paid period, the grace period or the grant; nil for an entitlement without an end.
    package var until: Timestamp?
    /// The product; nil for a grant, and without a purchase.
    package var productID: ProductID?
    /// The `originalTransactionId` of the purchase; nil for a grant, and without a purchase.
    package var originalTransactionID: TransactionID?
    /// `PURCHASED` or `FAMILY_SHARED`; nil if it is unknown.
    package var ownership: String?
    /// The product to which the subscription renews; nil if it does not renew.
    package var renewsTo: ProductID?
    /// The environment of the purchase, such as `Sandbox`.
    package var environment: String?
    /// Whether the paid period has ended, its renewal is expected, and the App Store could not be asked yet; nil for any other state.
    ///
    /// The entitlement then is active for a limited time after the end of the period.
    package var isUnconfirmed: Bool?
    /// The signed event or the grant that decided.
    package var reason: String
    /// The date when the server last read the customer's data, if its database is unavailable; nil for a current answer.
    package var staleSince: Timestamp?

    /// Creates an entitlement.
    package init(
        name: EntitlementName, access: Access, productID: ProductID? = nil, originalTransactionID: TransactionID? = nil,
        ownership: String? = nil, renewsTo: ProductID? = nil, environment: String? = nil, isUnconfirmed: Bool = false
    ) {
        self.name = name
        self.isUnconfirmed = isUnconfirmed ? true : nil
        isActive = access.isGranted
        state = access.state
        until = access.until
        self.productID = productID
        self.originalTransactionID = originalTransactionID
        self.ownership = ownership
        self.renewsTo = renewsTo
        self.environment = environment
        reason = access.reason
    }
}

/// The entitlements of a customer.
package struct EntitlementsReply: Codable, Hashable, Sendable {
    /// The signed data from which a client can project an entitlement itself.
    package struct Evidence: Codable, Hashable, Sendable {
        /// The `originalTransactionId` of the purchase.
        package var originalTransactionID: TransactionID
        /// The signed transactions.
        package var signedTransactions: [SignedTransaction]
        /// The signed renewal info; empty for a purchase without renewals.
        package var signedRenewalInfo: [SignedRenewalInfo]

        /// Creates evidence.
        package init(
            originalTransactionID: TransactionID, signedTransactions: [SignedTransaction], signedRenewalInfo: [SignedRenewalInfo]
        ) {
            self.originalTransactionID = originalTransactionID
            self.signedTransactions = signedTransactions
            self.signedRenewalInfo = signedRenewalInfo
        }
    }

    /// The customer; nil for an alias that no customer has.
    package var customer: CustomerID?
    /// The date for which the states are stated.
    package var date: Timestamp
    /// Every entitlement that the customer has or had, by name.
    package var entitlements: [EntitlementReply]
    /// The signed data of at most 200 purchases, by their identifiers; nil unless the request includes it.
    package var evidence: [Evidence]?
    /// The value of `after` with which a request reads the next page of ``evidence``; nil for the last page.
    package var nextAfter: TransactionID?
    /// The date when the server last read the customer's data, if its database is unavailable; nil for a current answer.
    package var staleSince: Timestamp?

    /// Creates a reply.
    package init(
        customer: CustomerID?, date: Timestamp, entitlements: [EntitlementReply], evidence: [Evidence]? = nil,
        staleSince: Timestamp? = nil
    ) {
        self.customer = customer
        self.date = date
        self.entitlements = entitlements
        self.evidence = evidence
        self.staleSince = staleSince
    }

    /// Returns the entitlement with a name; nil if the customer never had it.
    package subscript(name: EntitlementName) -> EntitlementReply? { entitlements.first { $0.name == name } }
}

/// The signed events and the grants that concern an entitlement.
package struct EntitlementExplanation: Codable, Hashable, Sendable {
    /// A signed event of a purchase.
    package struct Event: Codable, Hashable, Sendable {
        /// The `originalTransactionId` of the purchase.
        package var originalTransactionID: TransactionID
        /// The transaction.
        package var transactionID: TransactionID
        /// The product of the transaction.
        package var productID: ProductID
        /// The source: a type of a notification, `app` for a submitted transaction, or `receipt`.
        package var source: String
        /// The date of the signature.
        package var signedDate: Timestamp
        /// The date when the server received the event.
        package var receivedAt: Timestamp
        /// The end of the paid period; nil for a purchase without periods.
        package var expiresDate: Timestamp?
        /// The date of the refund or the revocation; nil if there is none.
        package var revocationDate: Timestamp?
        /// Whether the event is one of those that decide the state.
        package var decides: Bool
        /// The state that the events up to this one result in, at the time of its signature.
        package var state: Access.State

        /// Creates an event.
        package init(
            originalTransactionID: TransactionID, transactionID: TransactionID, productID: ProductID, source: String, signedDate: Timestamp,
            receivedAt: Timestamp, expiresDate: Timestamp?, revocationDate: Timestamp?, decides: Bool, state: Access.State
        ) {
            self.originalTransactionID = originalTransactionID
            self.transactionID = transactionID
            self.productID = productID
            self.source = source
            self.signedDate = signedDate
            self.receivedAt = receivedAt
            self.expiresDate = expiresDate
            self.revocationDate = revocationDate
            self.decides = decides
            self.state = state
        }
    }

    /// A grant of a backend.
    package struct Grant: Codable, Hashable, Sendable {
        /// The date of the grant.
        package var grantedAt: Timestamp
        /// The end; nil for a grant without an end.
        package var until: Timestamp?
        /// The date of the revocation; nil if it was not revoked.
        package var revokedAt: Timestamp?
        /// The reason that the backend stated.
        package var reason: String

        /// Creates a grant.
        package init(grantedAt: Timestamp, until: Timestamp?, revokedAt: Timestamp?, reason: String) {
            self.grantedAt = grantedAt
            self.until = until
            self.revokedAt = revokedAt
            self.reason = reason
        }
    }

    /// The entitlement now.
    package var entitlement: EntitlementReply
    /// The latest events of all purchases that give the entitlement, at most 200 of each, in the order of their signature dates.
    package var events: [Event]
    /// The grants, oldest first.
    package var grants: [Grant]

    /// Creates an explanation.
    package init(entitlement: EntitlementReply, events: [Event], grants: [Grant]) {
        self.entitlement = entitlement
        self.events = events
        self.grants = grants
    }
}

/// A request to grant an entitlement.
package struct GrantEntitlementRequest: Codable, Hashable, Sendable {
    /// The end; nil for an entitlement without an end.
    package var until: Timestamp?
    /// The reason, for support; at most 500 bytes.
    package var reason: String?

    /// Creates a request.
    package init(until: Timestamp? = nil, reason: String? = nil) {
        self.until = until
        self.reason = reason
    }
}
