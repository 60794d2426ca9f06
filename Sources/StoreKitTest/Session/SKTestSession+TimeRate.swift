extension SKTestSession {
    /// How fast subscriptions renew; the names say it for a month, and the raw values are those of `.storekit` files.
    public enum TimeRate: Int, Sendable {
        /// Subscriptions renew in real time.
        case realTime = 0
        /// A day passes in an hour.
        case oneHourIsOneDay = 1
        /// A day passes in thirty minutes.
        case thirtyMinutesIsOneDay = 2
        /// A day passes in five minutes.
        case fiveMinutesIsOneDay = 3
        /// A day passes in a minute.
        case oneMinuteIsOneDay = 4
        /// A day passes in thirty seconds.
        case thirtySecondsIsOneDay = 5
        /// A day passes in a second.
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
    }
}
