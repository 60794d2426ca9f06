package import PurchaseModel
package import PurchaseStorage

/// The effect of a customer's proof of a purchase that belongs to another customer.
///
/// Consumables always stay with the first customer, whose balance received the credits.
public enum TransferPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// The purchase moves to the customer with the proof; the previous customer loses the purchase.
    case transfer
    /// The purchase stays with the first customer.
    case keep
    /// Both customers have the purchase.
    case share
}

/// The transfer policy of an app, with its limits.
public struct TransferRules: Hashable, Sendable {
    /// The effect of a customer's proof of another customer's purchase.
    public var policy: TransferPolicy
    /// The maximum number of transfers of one purchase in ``periodDays``, and of customers with whom one purchase is shared.
    public var limit: Int
    /// The period in days for which a transfer counts toward ``limit``.
    public var periodDays: Int64

    /// Creates rules; by default, a purchase can be transferred at most five times in 30 days.
    public init(policy: TransferPolicy = .transfer, limit: Int = 5, periodDays: Int64 = 30) {
        self.policy = policy
        self.limit = max(0, limit)
        self.periodDays = max(0, periodDays)
    }

    /// Decides about a customer's claim of a purchase; returns nil for a claim without an effect.
    ///
    /// A claim has no effect if the purchase already belongs to the customer. A claim without a proof has no effect on a purchase of
    /// another customer.
    ///
    /// - Parameters:
    ///   - customer: The customer who proves the purchase.
    ///   - attribution: The kind of the customer's proof.
    ///   - purchase: The purchase.
    ///   - claims: The earlier claims of the purchase.
    ///   - isOwnerDeleted: Whether the owner's data was deleted, which permits a transfer under each policy.
    ///   - now: The current date.
    package func decide(
        _ customer: CustomerID, _ attribution: PurchaseRecord.Attribution, on purchase: PurchaseRecord, claims: [PurchaseClaim],
        isOwnerDeleted: Bool, at now: Timestamp
    ) -> PurchaseClaim? {
        guard purchase.customer != customer else { return nil }
        // Ignore a claim without a proof if the purchase has a customer, because a receipt that does not prove the device of the purchase
        // can be a copy.
        guard attribution.isProof || purchase.customer == nil else { return nil }
        return PurchaseClaim(
            purchase: purchase.originalTransactionID, customer: customer, attribution: attribution,
            outcome: purchase.customer == nil ? .owner : outcome(customer, purchase, claims, isOwnerDeleted, now),
            previous: purchase.customer, date: now)
    }

    private func outcome(
        _ customer: CustomerID, _ purchase: PurchaseRecord, _ claims: [PurchaseClaim], _ isOwnerDeleted: Bool, _ now: Timestamp
    ) -> PurchaseClaim.Outcome {
        if purchase.sharedWith.contains(customer) { return .shared }
        if isOwnerDeleted { return .transferred }
        guard purchase.entitlement.productType != .consumable else { return .refused }
        // Transfer a purchase with only a first submission, which is no proof.
        guard purchase.attribution != .firstSubmission else { return .transferred }
        switch policy {
        case .keep:
            return .refused
        case .share:
            return purchase.sharedWith.count < limit ? .shared : .refusedForLimit
        case .transfer:
            let start = now.adding(days: -periodDays)
            return claims.count(where: { $0.outcome == .transferred && $0.date > start }) < limit ? .transferred : .refusedForLimit
        }
    }
}
