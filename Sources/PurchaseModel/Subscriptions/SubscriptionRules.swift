/// The store's rules for a subscription; each subscription has its own copy, so that a test can change the rules of one subscription.
public struct SubscriptionRules: Hashable, Sendable {
    /// The time rate of the subscription.
    public var timeRate: SubscriptionTimeRate
    /// Whether the billing grace period is enabled.
    public var billingGracePeriodIsEnabled: Bool
    /// The length of the billing grace period in days: 3, 6, 16 or 28, at most 6 for a weekly plan; nil for 6 and 16.
    ///
    /// The value applies only where the time rate defines the length of a day: in real time, and at the rates that name a day.
    public var billingGracePeriodDays: Int?
    /// Whether the billing grace period requires that the previous period was paid.
    public var billingGracePeriodRequiresPaidPeriod: Bool
    /// The length of the billing retry period in days; it applies only where the time rate defines the length of a day.
    public var billingRetryDays: Int
    /// The number of consecutive renewals after which auto-renew is disabled; nil for no limit.
    ///
    /// The sandbox's limit is 12.
    public var renewalLimit: Int?
    /// The number of seconds without paid service that start a new run of it: 60 days, in the sandbox 10 minutes.
    public var maximumServiceGap: Int64
    /// Whether dates have millisecond precision, as in Xcode's store; the App Store's dates are whole seconds.
    public var hasMillisecondPrecision: Bool?

    /// Creates rules, with the production rules as defaults.
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

    /// The rules of Apple's sandbox at its default time rate: a month in five minutes, twelve renewals.
    public static let sandbox = SubscriptionRules(timeRate: .monthlyRenewalEveryFiveMinutes, renewalLimit: 12, maximumServiceGap: 600)

    /// A date with the precision of this store.
    public func transactionDate(_ now: Timestamp) -> Timestamp {
        hasMillisecondPrecision == true ? now : now.wholeSeconds
    }

    /// The end of the billing grace period after a period of that length that ends at `end`; always later than `end`.
    func graceEnd(after end: Timestamp, of period: BillingPeriod) -> Timestamp {
        if let seconds = timeRate.graceSeconds(of: period) { return end.adding(seconds: seconds) }
        let isWeekly = period.unit == .week || period.unit == .day
        let days = max(billingGracePeriodDays ?? 16, 1)
        return end.adding(days: Int64(isWeekly ? min(days, 6) : days), of: timeRate.secondsPerDay)
    }

    /// The end of the billing retry period after a period that ends at `end`.
    func retryEnd(after end: Timestamp) -> Timestamp {
        if let seconds = timeRate.retrySeconds { return end.adding(seconds: seconds) }
        return end.adding(days: Int64(max(billingRetryDays, 1)), of: timeRate.secondsPerDay)
    }
}
