public import PurchaseModel

/// The date from which the state of a purchase should be looked up with the App Store Server API, because an event can be missing.
public struct PurchaseLookup: Hashable, Sendable {
    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The date from which a reconciliation looks the purchase up.
    public let dueAt: Timestamp
    /// The date when the App Store last stated the state of the purchase; nil if it was not asked since the entitlement changed.
    public let askedAt: Timestamp?

    /// Creates a record.
    public init(purchase: TransactionID, dueAt: Timestamp, askedAt: Timestamp? = nil) {
        self.purchase = purchase
        self.dueAt = dueAt
        self.askedAt = askedAt
    }

    /// Returns when a purchase should be looked up; nil if no event of it can be missing.
    ///
    /// An auto-renewable subscription changes without an action of the customer. A paid period that ended without a signed event about
    /// its end has a gap at once. A failed renewal can recover and an expired subscription can be bought again at any time, which a
    /// notification states, so these are looked up a day later, and then less and less often until a year has passed.
    ///
    /// Any other purchase changes by a refund, which the App Store grants mostly within 90 days: it is looked up after 7, 30 and 90 days.
    /// A day after a refund, the other refunds of the same App Store account are requested once.
    ///
    /// - Parameters:
    ///   - entitlement: The entitlement of the purchase.
    ///   - last: The date of the last look-up that changed nothing; nil if there is none since the entitlement changed.
    init?(of entitlement: Entitlement, after last: Timestamp? = nil) {
        purchase = entitlement.originalTransactionID
        askedAt = last
        let signed = entitlement.signedDate
        switch entitlement.state {
        case .owned:
            guard let due = Self.refundDays.map({ entitlement.purchaseDate.adding(days: $0) }).first(where: { $0 > last ?? .distantPast })
            else { return nil }
            dueAt = due
        case .revoked:
            guard last.map({ $0 < signed.adding(days: 1) }) ?? true else { return nil }
            dueAt = signed.adding(days: 1)
        case .active(let until):
            // A receipt does not always state the product type.
            guard entitlement.productType ?? .autoRenewable == .autoRenewable, let due = Self.due(until, last) else { return nil }
            dueAt = due
        case .gracePeriod, .billingRetry, .expired:
            guard entitlement.productType ?? .autoRenewable == .autoRenewable, let due = Self.due(signed.adding(days: 1), last)
            else { return nil }
            dueAt = due
        }
    }

    /// The days after which a purchase that does not renew is looked up.
    private static let refundDays: [Int64] = [7, 30, 90]

    /// Returns the date of the next look-up of a subscription, an event of which can be missing from the date `gap`.
    private static func due(_ gap: Timestamp, _ last: Timestamp?) -> Timestamp? {
        guard let last, last >= gap else { return gap }
        let age = last.milliseconds(since: gap) / 86_400_000
        return switch age {
        case ..<3: last.adding(seconds: 3_600)
        case ..<65: last.adding(days: 1)
        case ..<365: last.adding(days: 30)
        default: nil
        }
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}

extension StorageTransaction {
    /// Stores when the purchase of an entitlement should be looked up.
    ///
    /// - Parameters:
    ///   - entitlement: The entitlement, which has just changed, or was just looked up.
    ///   - last: The date of a look-up that changed nothing.
    func scheduleLookup(of entitlement: Entitlement, after last: Timestamp? = nil) throws {
        if let lookup = PurchaseLookup(of: entitlement, after: last) {
            try put(lookup)
        } else {
            try removeLookup(of: entitlement.originalTransactionID)
        }
    }
}
