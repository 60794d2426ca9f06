/// A revocation of a subscription period: its kind, and the refunded part of the price.
public struct SubscriptionRevocation: Codable, Hashable, Sendable {
    /// The kind of revocation, as in signed transactions.
    public let kind: RevocationType
    /// The refunded part of the price, in thousandths of a percent, from 0 to 100,000; nil when Family Sharing ended.
    public let percentage: Int?

    /// A revocation with a refund of the full price.
    public static let full = SubscriptionRevocation(kind: .fullRefund, percentage: fullPercentage)
    /// A revocation of a Family Sharing entitlement, without a refund because the family member did not pay.
    public static let family = SubscriptionRevocation(kind: .familyRevoke, percentage: nil)

    /// A revocation of the seat of a group's member, without a refund because the member did not pay.
    public static let assignment = SubscriptionRevocation(kind: .assignmentRevoke, percentage: nil)

    /// Returns the revocation of a transaction that its customer did not pay.
    static func lost(_ ownership: Ownership) -> SubscriptionRevocation {
        ownership == .assigned ? .assignment : .family
    }

    private static let fullPercentage = 100_000

    /// Returns a revocation with a refund of a part of the price.
    ///
    /// - Parameter percentage: The refunded part, in thousandths of a percent. A value outside of 0 to 100,000 becomes the nearest value in
    ///   this range.
    public static func prorated(_ percentage: Int) -> SubscriptionRevocation {
        SubscriptionRevocation(kind: .proratedRefund, percentage: min(max(percentage, 0), fullPercentage))
    }

    /// Returns a revocation with a refund of the time that remains at `now` in the period from `start` to `end`.
    public static func prorated(from start: Timestamp, to end: Timestamp, at now: Timestamp) -> SubscriptionRevocation {
        let total = Double(end.milliseconds) - Double(start.milliseconds)
        let remaining = Double(end.milliseconds) - Double(max(now, start).milliseconds)
        guard total > 0, remaining > 0 else { return SubscriptionRevocation(kind: .proratedRefund, percentage: 0) }
        let share = Int(exactly: (remaining / total * Double(fullPercentage)).rounded()) ?? fullPercentage
        return SubscriptionRevocation(kind: .proratedRefund, percentage: min(share, fullPercentage))
    }

    /// Returns the refunded amount of a price, rounded down to thousandths of the currency unit.
    public func amount(of price: Money) -> Money {
        let share = Int64(min(max(percentage ?? 0, 0), Self.fullPercentage))
        let fullPercentage = Int64(Self.fullPercentage)
        // Dividing before multiplying prevents an overflow.
        let milliunits = price.milliunits / fullPercentage * share + price.milliunits % fullPercentage * share / fullPercentage
        return Money(milliunits: milliunits, currency: price.currency)
    }
}
