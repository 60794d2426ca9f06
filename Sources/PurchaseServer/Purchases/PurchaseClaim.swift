public import PurchaseModel

/// A customer's proof that a purchase is theirs, and the server's decision about it.
///
/// A claim is a recorded decision: the purchase's customer follows from the signed data and the claims, and no signed data states a claim.
public struct PurchaseClaim: Hashable, Sendable {
    /// What the server decided.
    public enum Outcome: String, Codable, Hashable, Sendable {
        /// The purchase had no customer, and belongs to the customer who claims it.
        case owner
        /// The purchase moved to the customer who claims it.
        case transferred
        /// The customer has a purchase that belongs to another one, too.
        case shared
        /// The purchase stayed with another customer, because of the transfer policy.
        case refused
        /// The purchase stayed with another customer, because it was moved or shared too often.
        case refusedForLimit = "refused-for-limit"
    }

    /// The maximum number of recorded claims of one purchase that changed nothing.
    static let refusedLimit = 20

    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The customer who claimed the purchase.
    public let customer: CustomerID
    /// How the customer proved the purchase.
    public let attribution: PurchaseRecord.Attribution
    /// What the server decided.
    public let outcome: Outcome
    /// The customer to whom the purchase belonged; nil for an unattributed purchase.
    public let previous: CustomerID?
    /// The date of the decision.
    public let date: Timestamp

    /// Creates a record.
    public init(
        purchase: TransactionID, customer: CustomerID, attribution: PurchaseRecord.Attribution, outcome: Outcome, previous: CustomerID?,
        date: Timestamp
    ) {
        self.purchase = purchase
        self.customer = customer
        self.attribution = attribution
        self.outcome = outcome
        self.previous = previous
        self.date = date
    }
}

extension PurchaseRecord.Attribution {
    /// Whether the customer has proved the purchase, so that no `appAccountToken` attributes it to another one.
    var isProof: Bool {
        switch self {
        case .deviceVerification, .backend, .shared: true
        case .appAccountToken, .firstSubmission: false
        }
    }
}

extension PurchaseRecord {
    /// Creates the record of a purchase whose customers follow from recorded decisions.
    ///
    /// - Parameters:
    ///   - timeline: The entitlements of the purchase.
    ///   - claims: The claims in the order of their decisions.
    ///   - token: The `appAccountToken` that counts for the purchase; nil for a purchase without a token.
    ///   - current: Returns the customer into whom a customer was merged, or the customer itself.
    init(
        timeline: EntitlementTimeline, claims: [PurchaseClaim], token: CustomerID?, current: (CustomerID) throws -> CustomerID
    ) rethrows {
        self.init(timeline: timeline)
        for claim in claims { apply(claim) }
        try attribute(to: token, current: current)
        try replaceMerged(current)
    }

    /// Changes the customer of the purchase as the server decided about a claim.
    mutating func apply(_ claim: PurchaseClaim) {
        switch claim.outcome {
        case .owner, .transferred:
            customer = claim.customer
            attribution = claim.attribution
        case .shared:
            if !sharedWith.contains(claim.customer) { sharedWith.append(claim.customer) }
        case .refused, .refusedForLimit:
            break
        }
    }

    /// Sets the customer to that of an `appAccountToken`, unless a customer has proved the purchase.
    ///
    /// A first submission is no proof.
    ///
    /// - Parameters:
    ///   - token: The token that counts for the purchase; nil for a purchase without a token.
    ///   - current: Returns the customer into whom a customer was merged, or the customer itself.
    mutating func attribute(to token: CustomerID?, current: (CustomerID) throws -> CustomerID) rethrows {
        guard attribution?.isProof != true, let token, token.isWellFormed else { return }
        customer = try current(token)
        attribution = .appAccountToken
    }

    /// Replaces customers with those into whom they were merged.
    mutating func replaceMerged(_ current: (CustomerID) throws -> CustomerID) rethrows {
        customer = try customer.map(current)
        var holders: [CustomerID] = []
        for holder in try sharedWith.map(current) where !holders.contains(holder) { holders.append(holder) }
        sharedWith = holders
    }
}
