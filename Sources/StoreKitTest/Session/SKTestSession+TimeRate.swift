extension SKTestSession {
    /// The speed at which subscriptions renew; the raw values are those of `.storekit` files.
    ///
    /// A time rate for monthly renewals also accelerates subscription periods of other durations.
    public enum TimeRate: Int, Sendable {
        /// Subscriptions renew in real time.
        case realTime = 0
        /// A day of a subscription period passes in an hour.
        case oneHourIsOneDay = 1
        /// A day of a subscription period passes in thirty minutes.
        case thirtyMinutesIsOneDay = 2
        /// A day of a subscription period passes in five minutes.
        case fiveMinutesIsOneDay = 3
        /// A day of a subscription period passes in a minute.
        case oneMinuteIsOneDay = 4
        /// A day of a subscription period passes in thirty seconds.
        case thirtySecondsIsOneDay = 5
        /// A day of a subscription period passes in a second.
        case oneSecondIsOneDay = 6
        /// A monthly subscription renews every hour.
        case monthlyRenewalEveryHour = 10
        /// A monthly subscription renews every thirty minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A monthly subscription renews every fifteen minutes.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A monthly subscription renews every five minutes.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A monthly subscription renews every thirty seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// A subscription of any duration renews every fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// A subscription of any duration renews every five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// A subscription of any duration renews every minute.
        case oneRenewalEveryMinute = 1002
        /// A subscription of any duration renews every thirty seconds.
        case oneRenewalEveryThirtySeconds = 1003
        /// A subscription of any duration renews every ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// A subscription of any duration renews every two seconds.
        case oneRenewalEveryTwoSeconds = 1005
    }
}
