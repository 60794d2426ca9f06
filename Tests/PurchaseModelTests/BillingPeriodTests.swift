import Foundation
import FoundationExtras
import PurchaseModel
import Testing

@Suite struct BillingPeriodTests {
    @Test(arguments: ["P1D", "P3D", "P1W", "P1M", "P2M", "P1Y", "P366D"]) func `an ISO 8601 duration of one unit survives encoding`(
        _ text: String
    )
        throws
    {
        let period = try #require(BillingPeriod(iso8601: text))
        #expect(period.iso8601 == text)
        #expect(try WireJSON.decode(BillingPeriod.self, from: try WireJSON.encode(period)) == period)
    }

    @Test(arguments: ["", "P", "PM", "P0M", "P-1M", "1M", "PT1H", "P1M1D", "P1.5M", "P367D", "P99999999999999999999M", "p1m", "P1X"])
    func `another duration is not a billing period`(_ text: String) throws {
        #expect(BillingPeriod(iso8601: text) == nil)
        let json = try WireJSON.encode(text)
        #expect(throws: DecodingError.self) { try WireJSON.decode(BillingPeriod.self, from: json) }
    }

    @Test(arguments: [
        ("2025-01-31T12:00:00Z", "P1M", "2025-02-28T12:00:00Z"),
        ("2024-01-31T12:00:00Z", "P1M", "2024-02-29T12:00:00Z"),
        ("2025-02-28T12:00:00Z", "P1M", "2025-03-28T12:00:00Z"),
        ("2024-02-29T12:00:00Z", "P1Y", "2025-02-28T12:00:00Z"),
        ("2025-12-31T23:59:59Z", "P2M", "2026-02-28T23:59:59Z"),
        ("2025-03-29T12:00:00Z", "P1W", "2025-04-05T12:00:00Z"),
        ("2025-03-29T12:00:00Z", "P3D", "2025-04-01T12:00:00Z"),
    ])
    func `a period ends on the calendar date, or on the last day of a shorter month`(_ start: String, _ period: String, _ end: String)
        throws
    {
        let start = Timestamp(try Date(start, strategy: .iso8601))
        #expect(try #require(BillingPeriod(iso8601: period)).end(after: start).description == end)
    }

    @Test func `the end of a period is computed at the limits of the time range`() throws {
        let period = try #require(BillingPeriod(iso8601: "P1Y"))
        for day in [Int.min, 0, 31, .max] {
            _ = period.end(after: Timestamp(milliseconds: .max), day: day)
            _ = period.end(after: Timestamp(milliseconds: 0), day: day)
        }
        _ = period.end(after: Timestamp(milliseconds: .max))
        _ = period.end(after: Timestamp(milliseconds: .min))
    }
}
