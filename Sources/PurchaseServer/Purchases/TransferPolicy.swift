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

    /// Decides what a proof of a purchase by a customer changes.
    ///
    /// - Parameters:
    ///   - purchase: The purchase, which belongs to another customer.
    ///   - customer: The customer who proves the purchase.
    ///   - claims: The earlier claims of the purchase.
    ///   - isOwnerDeleted: Whether the data of the present customer was deleted, so that the purchase can always be claimed.
    ///   - now: The present date.
    func decide(
        on purchase: PurchaseRecord, provenBy customer: CustomerID, claims: [PurchaseClaim], isOwnerDeleted: Bool, at now: Timestamp
    ) -> ClaimDecision {
        if purchase.sharedWith.contains(customer) { return .share }
        if isOwnerDeleted { return .transfer }
        guard purchase.entitlement.productType != .consumable else { return .refuse }
        switch policy {
        case .keep:
            return .refuse
        case .share:
            return purchase.sharedWith.count < limit ? .share : .refuseForLimit
        case .transfer:
            let start = now.adding(days: -periodDays)
            return claims.count(where: { $0.outcome == .transferred && $0.date > start }) < limit ? .transfer : .refuseForLimit
        }
    }
}

/// What the proof of a purchase that belongs to another customer changes.
enum ClaimDecision: Hashable, Sendable {
    /// The purchase moves to the customer.
    case transfer
    /// The customer has the purchase, too.
    case share
    /// Nothing, because of the policy.
    case refuse
    /// Nothing, because the purchase was moved or shared too often.
    case refuseForLimit
}
