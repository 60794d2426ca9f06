package import PurchaseModel
package import PurchaseStorage

extension PurchaseLookup {
    /// Creates the next look-up of a purchase; returns nil if no event of the purchase can be missing.
    ///
    /// An auto-renewable subscription changes without an action of the customer. If a paid period has ended without a signed event about
    /// its end, the look-up is due at once. A failed renewal can recover, and a customer can buy an expired subscription again.
    /// Notifications report recoveries and purchases, so the first look-up is due after a day. Further look-ups follow at growing intervals
    /// until a year has passed.
    ///
    /// A refund can change a purchase without renewals. The App Store grants refunds mostly within 90 days, so look-ups of a purchase
    /// without renewals are due after 7, 30 and 90 days. A day after a refund, the server requests the other refunds of the same App Store
    /// account once.
    ///
    /// - Parameters:
    ///   - entitlement: The entitlement of the purchase.
    ///   - last: The date of the last look-up; nil if no look-up has run since the entitlement changed.
    init?(of entitlement: Entitlement, after last: Timestamp? = nil) {
        let signed = entitlement.signedDate
        switch entitlement.state {
        case .owned:
            guard let due = Self.refundDays.map({ entitlement.purchaseDate.adding(days: $0) }).first(where: { $0 > last ?? .distantPast })
            else { return nil }
            self.init(of: entitlement, dueAt: due, after: last)
        case .revoked:
            guard last.map({ $0 < signed.adding(days: 1) }) ?? true else { return nil }
            self.init(of: entitlement, dueAt: signed.adding(days: 1), after: last)
        case .active(let until):
            // Treat a missing product type as auto-renewable, because a receipt does not always state the type.
            guard entitlement.productType ?? .autoRenewable == .autoRenewable, let due = Self.due(until, last) else { return nil }
            self.init(of: entitlement, dueAt: due, after: last)
        case .gracePeriod, .billingRetry:
            // The App Store retries a charge of a commitment for 90 days, and any other charge for 60 days.
            guard entitlement.productType ?? .autoRenewable == .autoRenewable,
                let due = Self.due(signed.adding(days: 1), last, dailyFor: 95)
            else { return nil }
            self.init(of: entitlement, dueAt: due, after: last)
        case .expired:
            guard entitlement.productType ?? .autoRenewable == .autoRenewable, let due = Self.due(signed.adding(days: 1), last)
            else { return nil }
            self.init(of: entitlement, dueAt: due, after: last)
        }
    }

    private init(of entitlement: Entitlement, dueAt: Timestamp, after last: Timestamp?) {
        self.init(purchase: entitlement.originalTransactionID, dueAt: dueAt, askedAt: last)
    }

    /// The days from the purchase date to the look-ups of a purchase without renewals.
    private static let refundDays: [Int64] = [7, 30, 90]

    /// Returns the date of the next look-up of a subscription.
    ///
    /// - Parameters:
    ///   - gap: The date since which events of the subscription may be missing.
    ///   - last: The date of the last look-up; nil if there was none.
    ///   - days: The age of the gap in days up to which look-ups are due each day.
    private static func due(_ gap: Timestamp, _ last: Timestamp?, dailyFor days: Int64 = 65) -> Timestamp? {
        guard let last, last >= gap else { return gap }
        let age = last.milliseconds(since: gap) / 86_400_000
        return switch age {
        case ..<3: last.adding(seconds: 3_600)
        case ..<days: last.adding(days: 1)
        case ..<365: last.adding(days: 30)
        default: nil
        }
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}

extension StorageTransaction {
    /// Stores the next look-up of an entitlement's purchase.
    ///
    /// - Parameters:
    ///   - entitlement: The entitlement after a change or a look-up.
    ///   - last: The date of a look-up that has just ended; nil after a change.
    package func scheduleLookup(of entitlement: Entitlement, after last: Timestamp? = nil) throws {
        if let lookup = PurchaseLookup(of: entitlement, after: last) {
            try put(lookup)
        } else {
            try removeLookup(of: entitlement.originalTransactionID)
        }
    }
}
