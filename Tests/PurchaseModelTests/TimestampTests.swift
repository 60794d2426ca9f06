import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct TimestampTests {
    private static let start = Timestamp.testStart
    private static let (beginning, end) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))

    @Test(
        arguments: [
            ("1738326896000", 1_738_326_896_000), ("0", 0), ("-62135769600000", -62_135_769_600_000),
            ("1738326896123.9", 1_738_326_896_123),
            ("1e3", 1000), ("9223372036854775807", .max), ("1e19", nil), ("-1e300", nil), ("\"1\"", nil), ("true", nil), ("null", nil),
        ] as [(String, Int64?)])
    func `a timestamp is decoded as whole milliseconds`(_ json: String, _ milliseconds: Int64?) {
        let dates = try? WireJSON.decode([Timestamp].self, from: Data("[\(json)]".utf8))
        #expect(dates?.first?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        (start.adding(seconds: 1), Timestamp(milliseconds: 1_738_326_897_000)),
        (start.adding(milliseconds: -1), Timestamp(milliseconds: 1_738_326_895_999)),
        (start.adding(days: 1), start.adding(seconds: 86_400)),
        (start.adding(seconds: .max), end),
        (start.adding(seconds: .min), beginning),
        (start.adding(days: .max), end),
        (start.adding(days: .min), beginning),
        (end.adding(milliseconds: 1), end),
        (beginning.adding(milliseconds: -1), beginning),
        (end.adding(milliseconds: .min), Timestamp(milliseconds: -1)),
    ])
    func `timestamp arithmetic saturates at the limits`(_ result: Timestamp, _ expected: Timestamp) {
        #expect(result == expected)
    }

    @Test(arguments: [(1_738_326_896_999, 1_738_326_896_000), (1000, 1000), (999, 0), (0, 0)] as [(Int64, Int64)])
    func `whole seconds drop the milliseconds`(_ milliseconds: Int64, _ whole: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).wholeSeconds == Timestamp(milliseconds: whole))
    }

    @Test func `a Foundation date converts without loss, and an out-of-range date is clamped`() {
        #expect(Timestamp(Self.start.date) == Self.start)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e300)) == Self.end)
        #expect(Timestamp(Date(timeIntervalSince1970: -1e300)) == Self.beginning)
        #expect(Self.start.description == "2025-01-31T12:34:56Z")
    }
}
