public import PurchaseModel

/// A customer's claim of a purchase, with the kind of proof and the server's decision.
///
/// The server stores each claim, because no signed data contains claims. The server computes the customer of a purchase from the signed
/// data and the claims.
public struct PurchaseClaim: Hashable, Sendable {
    /// The server's decision about the claim.
    public enum Outcome: String, Codable, Hashable, Sendable {
        /// The purchase had no customer, and now belongs to the claiming customer.
        case owner
        /// The purchase moved to the claiming customer.
        case transferred
        /// The purchase stays with another customer, and is shared with the claiming customer.
        case shared
        /// The purchase stayed with another customer, because of the transfer policy.
        case refused
        /// The purchase stayed with another customer, because it was moved or shared too often.
        case refusedForLimit = "refused-for-limit"
    }

    /// The maximum number of recorded refused claims of one purchase.
    package static let refusedLimit = 20

    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The customer who claimed the purchase.
    public let customer: CustomerID
    /// The kind of the customer's proof.
    public let attribution: PurchaseRecord.Attribution
    /// The server's decision about the claim.
    public let outcome: Outcome
    /// The owner before the claim; nil for an unattributed purchase.
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
    /// Whether the attribution is a proof of the purchase; an `appAccountToken` does not change the customer of a purchase with a proof.
    package var isProof: Bool {
        switch self {
        case .deviceVerification, .backend, .shared: true
        case .appAccountToken, .firstSubmission: false
        }
    }
}

extension PurchaseRecord {
    /// Applies the decision about a claim to the customers of the purchase.
    package mutating func apply(_ claim: PurchaseClaim) {
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

    /// Replaces each merged customer with the target of the merge.
    package mutating func replaceMerged(_ current: (CustomerID) throws -> CustomerID) rethrows {
        customer = try customer.map(current)
        var holders: [CustomerID] = []
        for holder in try sharedWith.map(current) where !holders.contains(holder) { holders.append(holder) }
        sharedWith = holders
    }
}
