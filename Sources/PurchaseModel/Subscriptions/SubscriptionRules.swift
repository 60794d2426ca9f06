/// The store's rules for a subscription, such as its time rate and its billing grace period.
///
/// Each subscription has its own copy, so that a test can change the rules of one subscription.
public struct SubscriptionRules: Hashable, Sendable {
    /// The time rate of the subscription: real time, or accelerated periods.
    public var timeRate: SubscriptionTimeRate
    /// Whether the billing grace period is enabled.
    public var billingGracePeriodIsEnabled: Bool
    /// The length of the billing grace period in days: 3, 6, 16 or 28, but at most 6 for a weekly plan; nil for 16.
    ///
    /// The value applies in real time, and at time rates that define the length of a day, such as ``SubscriptionTimeRate/oneHourIsOneDay``.
    /// Other time rates define the length of the billing grace period themselves.
    public var billingGracePeriodDays: Int?
    /// Whether a subscription has a billing grace period only if its previous period was paid, not free.
    public var billingGracePeriodRequiresPaidPeriod: Bool
    /// The length of the billing retry period in days.
    ///
    /// The value applies in real time, and at time rates that define the length of a day, such as ``SubscriptionTimeRate/oneHourIsOneDay``.
    /// Other time rates define the length of the billing retry period themselves.
    public var billingRetryDays: Int
    /// The number of renewals after a purchase at which the store disables auto-renew; nil for no limit.
    ///
    /// The limit in Apple's sandbox is 12.
    public var renewalLimit: Int?
    /// The longest gap in paid service that ``Subscription/recentSubscriptionStartDate`` ignores, in seconds: by default 60 days.
    ///
    /// The value in ``sandbox`` is 10 minutes.
    public var maximumServiceGap: Int64
    /// The number of seconds by which the store charges a renewal before its period begins, up to ``maximumChargeAhead``.
    ///
    /// Without a value, the store charges each renewal when its period begins.
    public var chargeAhead: Int64?
    /// Whether transaction dates have millisecond precision, as in Xcode; nil or false for whole seconds, as in the App Store.
    public var hasMillisecondPrecision: Bool?

    /// The largest number of seconds by which the store charges a renewal before its period begins: 24 hours.
    public static let maximumChargeAhead: Int64 = 86_400

    /// Creates rules; the defaults are the rules of the App Store in production.
    public init(
        timeRate: SubscriptionTimeRate = .realTime, billingGracePeriodIsEnabled: Bool = true, billingGracePeriodDays: Int? = nil,
        billingGracePeriodRequiresPaidPeriod: Bool = false,
        billingRetryDays: Int = 60, renewalLimit: Int? = nil, maximumServiceGap: Int64 = 60 * 86_400
    ) {
        self.timeRate = timeRate
        self.billingGracePeriodIsEnabled = billingGracePeriodIsEnabled
        self.billingGracePeriodDays = billingGracePeriodDays
        self.billingGracePeriodRequiresPaidPeriod = billingGracePeriodRequiresPaidPeriod
        self.billingRetryDays = billingRetryDays
        self.renewalLimit = renewalLimit
        self.maximumServiceGap = maximumServiceGap
    }

    /// The rules of Apple's sandbox at its default time rate: a month takes five minutes, and a subscription renews twelve times.
    public static let sandbox = SubscriptionRules(timeRate: .monthlyRenewalEveryFiveMinutes, renewalLimit: 12, maximumServiceGap: 600)

    /// Returns the date of a transaction at `now`, in milliseconds or in whole seconds according to the rules.
    public func transactionDate(_ now: Timestamp) -> Timestamp {
        hasMillisecondPrecision == true ? now : now.wholeSeconds
    }

    /// Returns the end of the billing grace period of a subscription whose newest period ended at `end`.
    ///
    /// - Parameter period: The duration of a subscription period.
    func graceEnd(after end: Timestamp, of period: BillingPeriod) -> Timestamp {
        if let seconds = timeRate.graceSeconds(of: period) { return end.adding(seconds: seconds) }
        let isWeekly = period.unit == .week || period.unit == .day
        let days = max(billingGracePeriodDays ?? 16, 1)
        return end.adding(days: Int64(isWeekly ? min(days, 6) : days), of: timeRate.secondsPerDay)
    }

    /// Returns the end of the billing retry period of a subscription whose newest period ended at `end`.
    ///
    /// The billing retry period of a commitment is half as long again: 90 days instead of 60.
    func retryEnd(after end: Timestamp, ofCommitment: Bool = false) -> Timestamp {
        if let seconds = timeRate.retrySeconds { return end.adding(seconds: ofCommitment ? seconds * 3 / 2 : seconds) }
        let days = Int64(max(billingRetryDays, 1))
        let (longer, overflow) = (days / 2).addingReportingOverflow(days)
        return end.adding(days: ofCommitment && !overflow ? longer : days, of: timeRate.secondsPerDay)
    }
}
