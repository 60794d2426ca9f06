public import PurchaseModel

/// The date from which the state of a purchase should be looked up with the App Store Server API, because an event can be missing.
public struct PurchaseLookup: Hashable, Sendable {
    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The date from which a reconciliation looks the purchase up.
    public let dueAt: Timestamp

    /// Creates a record.
    public init(purchase: TransactionID, dueAt: Timestamp) {
        self.purchase = purchase
        self.dueAt = dueAt
    }

    /// Returns when a purchase should be looked up; nil if no event of it can be missing.
    ///
    /// Only an auto-renewable subscription changes without an action of the customer. A paid period that ended without a signed event about
    /// its end has a gap at once. A failed renewal can recover and an expired subscription can be bought again at any time, which a
    /// notification states, so these are looked up a day later, and then less and less often until a year has passed.
    ///
    /// - Parameters:
    ///   - entitlement: The entitlement of the purchase.
    ///   - last: The date of the last look-up that changed nothing; nil if there is none since the entitlement changed.
    init?(of entitlement: Entitlement, after last: Timestamp? = nil) {
        guard let gap = Self.gap(of: entitlement) else { return nil }
        purchase = entitlement.originalTransactionID
        guard let last, last > gap else {
            dueAt = gap
            return
        }
        let age = (last.milliseconds - gap.milliseconds) / 86_400_000
        switch age {
        case ..<3: dueAt = last.adding(seconds: 3_600)
        case ..<65: dueAt = last.adding(days: 1)
        case ..<365: dueAt = last.adding(days: 30)
        default: return nil
        }
    }

    /// Returns the date from which an event of a purchase can be missing.
    private static func gap(of entitlement: Entitlement) -> Timestamp? {
        // A receipt does not always state the product type.
        guard entitlement.productType ?? .autoRenewable == .autoRenewable else { return nil }
        return switch entitlement.state {
        case .active(let until): until
        case .gracePeriod, .billingRetry, .expired: entitlement.signedDate.adding(days: 1)
        case .owned, .revoked: nil
        }
    }
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
