package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads all entitlements of the customer; the query parameter `at` selects a past date, and `include=evidence` requests the signed
    /// data.
    package static let entitlements = Endpoint<Empty, EntitlementsReply>(.get, "/v1/customer/entitlements")
    /// Reads one entitlement of the customer, at the date of the query parameter `at`; an entitlement with an unknown name is not active.
    package static let entitlement = Endpoint<Empty, EntitlementReply>(.get, "/v1/customer/entitlements/{entitlement}")
    /// Lists the signed events and the grants of an entitlement, in the order of their dates.
    package static let explainEntitlement = Endpoint<Empty, EntitlementExplanation>(
        .get, "/v1/customer/entitlements/{entitlement}/explanation")
    /// Grants an entitlement without a purchase; for backends.
    package static let grantEntitlement = Endpoint<GrantEntitlementRequest, EntitlementReply>(
        .post, "/v1/customer/entitlements/{entitlement}/grants")
    /// Revokes all grants of an entitlement, but no entitlement of a purchase; for backends.
    package static let revokeGrants = Endpoint<Empty, EntitlementReply>(.delete, "/v1/customer/entitlements/{entitlement}/grants")
}

/// An entitlement of a customer, with the purchase or grant that determines the access.
package struct EntitlementReply: Codable, Hashable, Sendable {
    package var name: EntitlementName
    /// Whether the customer has access.
    package var isActive: Bool
    /// The state of the purchase that determines the access; `none` without a purchase or grant.
    package var state: Access.State
    /// The end of the paid period, the grace period or the grant; nil for an entitlement without an end.
    package var until: Timestamp?
    /// The purchased product; nil if no purchase determines the access.
    package var productID: ProductID?
    /// The `originalTransactionId` of the purchase; nil if no purchase determines the access.
    package var originalTransactionID: TransactionID?
    /// The ownership type, `PURCHASED`, `FAMILY_SHARED`, or `ASSIGNED` for a seat; nil for an unknown type.
    package var ownership: String?
    /// The product to which the subscription renews; nil without a renewal.
    package var renewsTo: ProductID?
    /// The environment of the purchase, such as `Sandbox`.
    package var environment: String?
    /// Whether the paid period has ended, and its expected renewal is unconfirmed; nil for any other state.
    ///
    /// An unconfirmed entitlement is active for a limited time after the end of the period.
    package var isUnconfirmed: Bool?
    /// A description of the signed event or the grant that determines the access.
    package var reason: String
    /// The date when the server last read the customer's data, if its database is unavailable; nil for a current answer.
    package var staleSince: Timestamp?

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

/// The entitlements of a customer at a date.
package struct EntitlementsReply: Codable, Hashable, Sendable {
    /// Signed data from which a client can compute the entitlements of a purchase.
    package struct Evidence: Codable, Hashable, Sendable {
        package var originalTransactionID: TransactionID
        /// The signed transactions that determine the purchase's entitlement.
        package var signedTransactions: [SignedTransaction]
        /// The signed renewal info that determines the purchase's entitlement; empty for a purchase without renewals.
        package var signedRenewalInfo: [SignedRenewalInfo]

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
    /// The date for which the server computed the entitlements.
    package var date: Timestamp
    /// Every entitlement that the customer has or had, sorted by name.
    package var entitlements: [EntitlementReply]
    /// The signed data of at most 200 purchases, sorted by `originalTransactionId`; nil unless the request includes evidence.
    package var evidence: [Evidence]?
    /// The value of `after` with which a request reads the next page of ``evidence``; nil for the last page.
    package var nextAfter: TransactionID?
    /// The date when the server last read the customer's data, if its database is unavailable; nil for a current answer.
    package var staleSince: Timestamp?

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

    /// Returns the entitlement with a name; nil if the customer never had the entitlement.
    package subscript(name: EntitlementName) -> EntitlementReply? { entitlements.first { $0.name == name } }
}

/// The signed events, the grants and the seats from which an entitlement follows.
package struct EntitlementExplanation: Codable, Hashable, Sendable {
    /// A signed event of a purchase.
    package struct Event: Codable, Hashable, Sendable {
        package var originalTransactionID: TransactionID
        package var transactionID: TransactionID
        package var productID: ProductID
        /// The source of the event: a notification type, `app` for a submitted transaction, or `receipt`.
        package var source: String
        /// The date of the event's signature.
        package var signedDate: Timestamp
        /// The date when the server received the event.
        package var receivedAt: Timestamp
        /// The end of the paid period; nil for a purchase without periods.
        package var expiresDate: Timestamp?
        /// The date of the refund or the revocation; nil without a refund or a revocation.
        package var revocationDate: Timestamp?
        /// Whether the event determines the purchase's current entitlement.
        package var decides: Bool
        /// The state of the purchase at the signature date, according to the events up to this event.
        package var state: Access.State
        /// Sentences about further facts, such as a refund of seats, a move to a bundle, or a value that the server does not know.
        package var notes: [String]

        package init(
            originalTransactionID: TransactionID, transactionID: TransactionID, productID: ProductID, source: String, signedDate: Timestamp,
            receivedAt: Timestamp, expiresDate: Timestamp?, revocationDate: Timestamp?, decides: Bool, state: Access.State, notes: [String]
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
            self.notes = notes
        }
    }

    /// A backend's grant of the entitlement.
    package struct Grant: Codable, Hashable, Sendable {
        package var grantedAt: Timestamp
        /// The end of the grant; nil for a grant without an end.
        package var until: Timestamp?
        /// The date of the revocation; nil without a revocation.
        package var revokedAt: Timestamp?
        /// The reason that the backend stated.
        package var reason: String

        package init(grantedAt: Timestamp, until: Timestamp?, revokedAt: Timestamp?, reason: String) {
            self.grantedAt = grantedAt
            self.until = until
            self.revokedAt = revokedAt
            self.reason = reason
        }
    }

    /// A seat in a team.
    package struct Seat: Codable, Hashable, Sendable {
        /// The team, named by the original transaction identifier of the owner's subscription.
        package var team: TransactionID
        package var productID: ProductID
        /// The date when the App Store confirmed the claim; nil before.
        package var claimedAt: Timestamp?
        /// The date when the member's access ended; nil for an open claim.
        package var endedAt: Timestamp?
        /// A sentence about the state of the claim, or about the reason of its end.
        package var note: String

        package init(team: TransactionID, productID: ProductID, claimedAt: Timestamp?, endedAt: Timestamp?, note: String) {
            self.team = team
            self.productID = productID
            self.claimedAt = claimedAt
            self.endedAt = endedAt
            self.note = note
        }
    }

    /// The current entitlement.
    package var entitlement: EntitlementReply
    /// The latest events of all purchases that give the entitlement, at most 200 of each purchase, in the order of their signature dates.
    package var events: [Event]
    /// The grants, oldest first.
    package var grants: [Grant]
    /// The seats in teams whose subscription gives the entitlement, sorted by team; nil for none.
    ///
    /// The explanation omits the signed events of the subscription, because the events belong to the owner of the team.
    package var seats: [Seat]?

    package init(entitlement: EntitlementReply, events: [Event], grants: [Grant], seats: [Seat] = []) {
        self.entitlement = entitlement
        self.events = events
        self.grants = grants
        self.seats = seats.isEmpty ? nil : seats
    }
}

package struct GrantEntitlementRequest: Codable, Hashable, Sendable {
    /// The end of the grant; nil for a grant without an end.
    package var until: Timestamp?
    /// The reason for the grant, for customer support; at most 500 bytes.
    package var reason: String?

    package init(until: Timestamp? = nil, reason: String? = nil) {
        self.until = until
        self.reason = reason
    }
}
