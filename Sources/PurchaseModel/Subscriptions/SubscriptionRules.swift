/// What a store lets its subscriptions do: a part of each subscription's value, so that it can be changed for one of them.
public struct SubscriptionRules: Hashable, Sendable {
    /// How fast time has its effect.
    public var pace: SubscriptionTimeRate
    /// Whether access goes on for a while when a renewal fails.
    public var grantsGrace: Bool
    /// How many days of grace there are: 3, 6, 16 or 28, at most 6 for a weekly plan; nil for 6 and 16.
    ///
    /// It counts only where a day has a length: in real time, and at the rates that say what a day takes.
    public var graceDays: Int?
    /// Whether there is grace only after a period that was paid.
    public var graceNeedsPayment: Bool
    /// How many days the store goes on trying to charge; only where a day has a length.
    public var retryDays: Int
    /// After how many renewals in a row renewal is switched off; nil for never.
    ///
    /// The sandbox has 12.
    public var renewalLimit: Int?
    /// How many seconds without paid service start a new run of it: 60 days, in the sandbox 10 minutes.
    public var longestGap: Int64
    /// Whether moments are kept to the millisecond, as Xcode's store does; the App Store's are whole seconds.
    public var countsMilliseconds: Bool?

    /// Creates rules; those of production unless told otherwise.
    public init(
        pace: SubscriptionTimeRate = .realTime, grantsGrace: Bool = true, graceDays: Int? = nil, graceNeedsPayment: Bool = false,
        retryDays: Int = 60, renewalLimit: Int? = nil, longestGap: Int64 = 60 * 86_400
    ) {
        self.pace = pace
        self.grantsGrace = grantsGrace
        self.graceDays = graceDays
        self.graceNeedsPayment = graceNeedsPayment
        self.retryDays = retryDays
        self.renewalLimit = renewalLimit
        self.longestGap = longestGap
    }

    /// The rules of Apple's sandbox at its usual pace: a month in five minutes, twelve renewals.
    public static let sandbox = SubscriptionRules(pace: .monthEveryFiveMinutes, renewalLimit: 12, longestGap: 600)

    /// A moment as this store writes it down.
    public func moment(_ now: Timestamp) -> Timestamp {
        countsMilliseconds == true ? now : now.wholeSeconds
    }

    /// The end of the grace that begins when a period of that length ends at `end`; always later than `end`.
    func graceEnd(after end: Timestamp, of period: BillingPeriod) -> Timestamp {
        if let seconds = pace.graceSeconds(of: period) { return end.adding(seconds: seconds) }
        let isWeekly = period.unit == .week || period.unit == .day
        let days = max(graceDays ?? 16, 1)
        return end.adding(days: Int64(isWeekly ? min(days, 6) : days), of: pace.secondsOfDay)
    }

    /// When the store gives up charging for the period after `end`.
    func retryEnd(after end: Timestamp) -> Timestamp {
        if let seconds = pace.retrySeconds { return end.adding(seconds: seconds) }
        return end.adding(days: Int64(max(retryDays, 1)), of: pace.secondsOfDay)
    }
}
