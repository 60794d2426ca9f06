/// The time rate of a subscription: real time, or accelerated periods.
///
/// The raw value is the value of `_timeRate` in `.storekit` files.
public enum SubscriptionTimeRate: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Periods follow the calendar.
    case realTime = 0
    /// A day takes an hour; a month has thirty days, a year 365.
    case oneHourIsOneDay = 1
    /// A day takes thirty minutes; a month has thirty days, a year 365.
    case thirtyMinutesIsOneDay = 2
    /// A day takes five minutes; a month has thirty days, a year 365.
    case fiveMinutesIsOneDay = 3
    /// A day takes a minute; a month has thirty days, a year 365.
    case oneMinuteIsOneDay = 4
    /// A day takes thirty seconds; a month has thirty days, a year 365.
    case thirtySecondsIsOneDay = 5
    /// A day takes a second; a month has thirty days, a year 365.
    case oneSecondIsOneDay = 6
    /// A month takes an hour.
    case monthlyRenewalEveryHour = 10
    /// A month takes thirty minutes.
    case monthlyRenewalEveryThirtyMinutes = 11
    /// A month takes fifteen minutes.
    case monthlyRenewalEveryFifteenMinutes = 12
    /// A month takes five minutes.
    case monthlyRenewalEveryFiveMinutes = 13
    /// A month takes thirty seconds.
    case monthlyRenewalEveryThirtySeconds = 15
    /// Every period takes fifteen minutes.
    case oneRenewalEveryFifteenMinutes = 1000
    /// Every period takes five minutes.
    case oneRenewalEveryFiveMinutes = 1001
    /// Every period takes a minute.
    case oneRenewalEveryMinute = 1002
    /// Every period takes thirty seconds.
    case oneRenewalEveryThirtySeconds = 1003
    /// Every period takes ten seconds.
    case oneRenewalEveryTenSeconds = 1004
    /// Every period takes two seconds.
    case oneRenewalEveryTwoSeconds = 1005

    private enum Measure {
        case calendar
        case days(Int64)
        case scaled(week: Int64, month: Int64)
        case fixed(Int64)
    }

    private var measure: Measure {
        switch self {
        case .realTime: .calendar
        case .oneHourIsOneDay: .days(3_600)
        case .thirtyMinutesIsOneDay: .days(1_800)
        case .fiveMinutesIsOneDay: .days(300)
        case .oneMinuteIsOneDay: .days(60)
        case .thirtySecondsIsOneDay: .days(30)
        case .oneSecondIsOneDay: .days(1)
        case .monthlyRenewalEveryHour: .scaled(week: 900, month: 3_600)
        case .monthlyRenewalEveryThirtyMinutes: .scaled(week: 600, month: 1_800)
        case .monthlyRenewalEveryFifteenMinutes: .scaled(week: 300, month: 900)
        case .monthlyRenewalEveryFiveMinutes: .scaled(week: 180, month: 300)
        case .monthlyRenewalEveryThirtySeconds: .scaled(week: 10, month: 30)
        case .oneRenewalEveryFifteenMinutes: .fixed(900)
        case .oneRenewalEveryFiveMinutes: .fixed(300)
        case .oneRenewalEveryMinute: .fixed(60)
        case .oneRenewalEveryThirtySeconds: .fixed(30)
        case .oneRenewalEveryTenSeconds: .fixed(10)
        case .oneRenewalEveryTwoSeconds: .fixed(2)
        }
    }

    /// The number of seconds that a day of the billing grace period or the billing retry period takes.
    var secondsPerDay: Int64 {
        if case .days(let seconds) = measure { seconds } else { 86_400 }
    }

    /// Returns the end of a subscription period that starts at `start`, at this time rate.
    ///
    /// Only offers have periods in days. At time rates that define the length of a month but not of a day, a day takes a seventh of a week,
    /// and a period in days takes at least one second.
    ///
    /// - Parameters:
    ///   - period: The duration of the period.
    ///   - start: The start of the period.
    ///   - day: The day of the month on which the period ends, if the month has that day; nil for the day of `start`. The parameter applies
    ///     to months and years in real time.
    public func end(of period: BillingPeriod, after start: Timestamp, day: Int? = nil) -> Timestamp {
        switch measure {
        case .calendar: return period.end(after: start, day: day)
        case .days(let seconds): return start.adding(seconds: seconds * Int64(period.value) * Self.days(in: period.unit))
        case .fixed(let seconds): return start.adding(seconds: seconds)
        case .scaled(let week, let month):
            let value = Int64(period.value)
            return switch period.unit {
            case .day: start.adding(seconds: max(week * value / 7, 1))
            case .week: start.adding(seconds: week * value)
            case .month: start.adding(seconds: month * value)
            case .year: start.adding(seconds: month * 12 * value)
            }
        }
    }

    /// Returns the length of the billing grace period in seconds, or nil when the length is a number of days.
    ///
    /// - Parameter period: The duration of a subscription period.
    public func graceSeconds(of period: BillingPeriod) -> Int64? {
        switch measure {
        case .calendar, .days: nil
        case .fixed(let seconds): seconds
        // For a weekly subscription, the billing grace period is six sevenths of a week, rounded to the second, as in Xcode.
        case .scaled(let week, let month): period.unit == .week || period.unit == .day ? (week * 12 + 7) / 14 : month / 2
        }
    }

    /// The length of the billing retry period in seconds; nil when the length is a number of days.
    public var retrySeconds: Int64? {
        switch measure {
        case .calendar, .days: nil
        case .fixed(let seconds): seconds * 2
        case .scaled(_, let month): month * 2
        }
    }

    /// Returns the number of days in a unit, at time rates whose periods do not follow the calendar.
    private static func days(in unit: BillingPeriod.Unit) -> Int64 {
        switch unit {
        case .day: 1
        case .week: 7
        case .month: 30
        case .year: 365
        }
    }
}
