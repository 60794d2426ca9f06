import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionPaceTests {
    /// The table of time rates: number, week, month, 2, 3, 6 months, year, grace of weekly plans and of others, retry, in seconds.
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
        ] as [[Int64]]) func `a time rate lasts as long as in Xcode`(_ row: [Int64]) throws
    {
        let pace = try #require(SubscriptionTimeRate(rawValue: Int(row[0])))
        for (length, seconds) in zip(["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"], row[1...]) {
            #expect(pace.end(of: try Sample.period(length), after: Sample.start) == Sample.start.adding(seconds: seconds))
        }
        for (length, grace) in [("P1W", row[7]), ("P1M", row[8]), ("P1Y", row[8])] {
            var subscription = try Sample.subscription(try Sample.plan("silver", length), rules: SubscriptionRules(pace: pace))
            let end = subscription.paidUntil
            subscription.fall(cardWorks: false)
            #expect(subscription.graceUntil == end.adding(seconds: min(grace, row[9])))
            subscription.fall(cardWorks: false)
            #expect(subscription.nextDue == end.adding(seconds: row[9]))
        }
    }

    /// Each older rate: its number, and the seconds that it gives a day.
    @Test(arguments: [(1, 3_600), (2, 1_800), (3, 300), (4, 60), (5, 30), (6, 1)] as [(Int, Int64)])
    func `an older time rate says what a day takes, and leaves the clock alone`(_ raw: Int, _ day: Int64) throws {
        let pace = try #require(SubscriptionTimeRate(rawValue: raw))
        for (length, days) in [("P3D", 3), ("P1W", 7), ("P1M", 30), ("P6M", 180), ("P1Y", 365)] as [(String, Int64)] {
            #expect(pace.end(of: try Sample.period(length), after: Sample.start) == Sample.start.adding(seconds: days * day))
        }
        for (length, grace) in [("P1W", 6), ("P1M", 16)] as [(String, Int64)] {
            var subscription = try Sample.subscription(try Sample.plan("silver", length), rules: SubscriptionRules(pace: pace))
            let end = subscription.paidUntil
            subscription.fall(cardWorks: false)
            #expect(subscription.graceUntil == end.adding(seconds: grace * day))
            subscription.fall(cardWorks: false)
            #expect(subscription.nextDue == end.adding(seconds: 60 * day))
        }
    }

    @Test func `real time keeps the calendar`() throws {
        #expect(SubscriptionTimeRate.realTime.end(of: try Sample.period("P1M"), after: Sample.start) == Sample.firstEnd)
    }

    @Test(arguments: [-1, 7, 9, 14, 16, 999, 1006]) func `other numbers are no time rate`(_ raw: Int) {
        #expect(SubscriptionTimeRate(rawValue: raw) == nil)
    }
}
