/// How a period is taken back, and how much of its price is paid back.
public struct SubscriptionRevocation: Codable, Hashable, Sendable {
    /// How, as signed data says it.
    public let kind: RevocationType
    /// How much of the price is paid back, in thousandths of a percent, from 0 to 100 000; nil when the family's sharing ended.
    public let percentage: Int?

    /// All of the price.
    public static let full = SubscriptionRevocation(kind: .fullRefund, percentage: whole)
    /// Nothing: a member of the family had not paid.
    public static let family = SubscriptionRevocation(kind: .familyRevoke, percentage: nil)

    private static let whole = 100_000

    /// A part of the price, in thousandths of a percent; less than nothing is nothing, more than all of it is all.
    public static func part(_ percentage: Int) -> SubscriptionRevocation {
        SubscriptionRevocation(kind: .proratedRefund, percentage: min(max(percentage, 0), whole))
    }

    /// The time that is left at `now` of what lasts from `start` to `end`.
    public static func prorated(from start: Timestamp, to end: Timestamp, at now: Timestamp) -> SubscriptionRevocation {
        let total = Double(end.milliseconds) - Double(start.milliseconds)
        let left = Double(end.milliseconds) - Double(max(now, start).milliseconds)
        guard total > 0, left > 0 else { return SubscriptionRevocation(kind: .proratedRefund, percentage: 0) }
        let share = Int(exactly: (left / total * Double(whole)).rounded()) ?? whole
        return SubscriptionRevocation(kind: .proratedRefund, percentage: min(share, whole))
    }

    /// What is paid back of a price, cut off to thousandths.
    public func amount(of price: Money) -> Money {
        let share = Int64(min(max(percentage ?? 0, 0), Self.whole))
        let whole = Int64(Self.whole)
        // Divided first, so that nothing overflows.
        let milliunits = price.milliunits / whole * share + price.milliunits % whole * share / whole
        return Money(milliunits: milliunits, currency: price.currency)
    }
}
