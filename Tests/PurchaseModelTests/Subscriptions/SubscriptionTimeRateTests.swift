import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionTimeRateTests {
    /// Rows of a time rate's raw value and durations in seconds: a week, 1, 2, 3 and 6 months, a year, the grace period of weekly
    /// and of other plans, and the billing retry period.
    @Test(
        arguments: [
            [10, 900, 3_600, 7_200, 10_800, 21_600, 43_200, 771, 1_800, 7_200],
            [11, 600, 1_800, 3_600, 5_400, 10_800, 21_600, 514, 900, 3_600],
            [12, 300, 900, 1_800, 2_700, 5_400, 10_800, 257, 450, 1_800],
            [13, 180, 300, 600, 900, 1_800, 3_600, 154, 150, 600],
            [15, 10, 30, 60, 90, 180, 360, 9, 15, 60],
            [1000, 900, 900, 900, 900, 900, 900, 900, 900, 1_800],
            [1001, 300, 300, 300, 300, 300, 300, 300, 300, 600],
            [1002, 60, 60, 60, 60, 60, 60, 60, 60, 120],
            [1003, 30, 30, 30, 30, 30, 30, 30, 30, 60],
            [1004, 10, 10, 10, 10, 10, 10, 10, 10, 20],
            [1005, 2, 2, 2, 2, 2, 2, 2, 2, 4],
        ] as [[Int64]]) func `a time rate has the same durations as in Xcode`(_ row: [Int64]) throws
    {
        let timeRate = try #require(SubscriptionTimeRate(rawValue: Int(row[0])))
        for (length, seconds) in zip(["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"], row[1...]) {
            #expect(timeRate.end(of: try Sample.period(length), after: Sample.start) == Sample.start.adding(seconds: seconds))
        }
        for (length, grace) in [("P1W", row[7]), ("P1M", row[8]), ("P1Y", row[8])] {
            var subscription = try Sample.subscription(try Sample.plan("silver", length), rules: SubscriptionRules(timeRate: timeRate))
            let end = subscription.paidUntil
            subscription.processDue(hasValidPaymentMethod: false)
            #expect(subscription.gracePeriodExpirationDate == end.adding(seconds: min(grace, row[9])))
            subscription.processDue(hasValidPaymentMethod: false)
            #expect(subscription.nextRenewalDate == end.adding(seconds: row[9]))
        }
    }

    /// The raw value of each earlier time rate and the seconds per day.
    @Test(arguments: [(1, 3_600), (2, 1_800), (3, 300), (4, 60), (5, 30), (6, 1)] as [(Int, Int64)])
    func `an earlier time rate scales a day to a number of seconds`(_ raw: Int, _ day: Int64) throws {
        let timeRate = try #require(SubscriptionTimeRate(rawValue: raw))
        for (length, days) in [("P3D", 3), ("P1W", 7), ("P1M", 30), ("P6M", 180), ("P1Y", 365)] as [(String, Int64)] {
            #expect(timeRate.end(of: try Sample.period(length), after: Sample.start) == Sample.start.adding(seconds: days * day))
        }
        for (length, grace) in [("P1W", 6), ("P1M", 16)] as [(String, Int64)] {
            var subscription = try Sample.subscription(try Sample.plan("silver", length), rules: SubscriptionRules(timeRate: timeRate))
            let end = subscription.paidUntil
            subscription.processDue(hasValidPaymentMethod: false)
            #expect(subscription.gracePeriodExpirationDate == end.adding(seconds: grace * day))
            subscription.processDue(hasValidPaymentMethod: false)
            #expect(subscription.nextRenewalDate == end.adding(seconds: 60 * day))
        }
    }

    @Test func `the real-time rate follows the calendar`() throws {
        #expect(SubscriptionTimeRate.realTime.end(of: try Sample.period("P1M"), after: Sample.start) == Sample.firstEnd)
    }

    @Test(arguments: [-1, 7, 9, 14, 16, 999, 1006]) func `another raw value is not a time rate`(_ raw: Int) {
        #expect(SubscriptionTimeRate(rawValue: raw) == nil)
    }
}
