import PurchaseModel

/// What happens when a customer proves a purchase that belongs to another customer.
///
/// Consumables always stay with the first customer, because their credits were added there.
public enum TransferPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// The purchase moves to the customer who proves it; the previous customer loses it.
    case transfer
    /// The purchase stays with the first customer.
    case keep
    /// Both customers have the purchase.
    case share
}

/// The transfer policy of an app, with its limits.
public struct TransferRules: Hashable, Sendable {
    /// The policy.
    public var policy: TransferPolicy
    /// The number of transfers of one purchase in ``periodDays``, or of customers who share one purchase, beyond which claims are refused.
    public var limit: Int
    /// The period in days for which transfers count.
    public var periodDays: Int64

    /// Creates rules; by default, a purchase moves at most five times in 30 days.
    public init(policy: TransferPolicy = .transfer, limit: Int = 5, periodDays: Int64 = 30) {
        self.policy = policy
        self.limit = max(0, limit)
        self.periodDays = max(0, periodDays)
    }

    /// Decides about a customer's claim of a purchase; returns nil if the purchase belongs to the customer, or if the claim has no effect
    /// on a purchase of another customer, because it is no proof.
    ///
    /// - Parameters:
    ///   - customer: The customer who proves the purchase.
    ///   - attribution: How the customer proves the purchase.
    ///   - purchase: The purchase.
    ///   - claims: The earlier claims of the purchase.
    ///   - isOwnerDeleted: Whether the data of the present customer was deleted, so that the purchase can always be claimed.
    ///   - now: The present date.
    func decide(
        _ customer: CustomerID, _ attribution: PurchaseRecord.Attribution, on purchase: PurchaseRecord, claims: [PurchaseClaim],
        isOwnerDeleted: Bool, at now: Timestamp
    ) -> PurchaseClaim? {
        guard purchase.customer != customer else { return nil }
        // A receipt that proves no device can be a copy.
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
        // The present customer has proved nothing.
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
