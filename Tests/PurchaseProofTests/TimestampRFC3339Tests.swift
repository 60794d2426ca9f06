import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseProof

@Suite struct TimestampRFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2025-01-31T12:34:56Z", 1_738_326_896_000),
        ("2020-10-08T11:17:49.131Z", 1_602_155_869_131),
        ("2020-10-08T11:17:49.1Z", 1_602_155_869_100),
        ("2020-10-08T11:17:49.131999Z", 1_602_155_869_131),
        ("2020-07-22T18:33:15+0100", 1_595_439_195_000),
        ("2020-07-22T18:33:15+01:00", 1_595_439_195_000),
        ("2020-07-22T12:03:15-05:30", 1_595_439_195_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ("2000-02-29T23:59:59Z", 951_868_799_000),
        ("4001-01-01T00:00:00Z", 64_092_211_200_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ])
    func `the date formats of receipts are parsed`(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2025", "2025-01-31", "2025-01-31T12:34:56", "2025-01-31 12:34:56Z", "2025-01-31t12:34:56Z", "2025-13-01T00:00:00Z",
        "2025-00-01T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2025-04-31T00:00:00Z", "2025-01-00T00:00:00Z",
        "2025-01-31T24:00:00Z", "2025-01-31T12:60:00Z", "2025-01-31T12:00:60Z", "2025-01-31T12:34:56.Z", "2025-01-31T12:34:56ZZ",
        "2025-01-31T12:34:56+1", "2025-01-31T12:34:56+2400", "+025-01-31T12:34:56Z", "2025-01-31T12:34:56.1234567890Z",
        "２025-01-31T12:34:56Z",
    ])
    func `other text is not a date`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `random dates survive a round trip as text`() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<2000 {
            let date = Timestamp(milliseconds: Int64.random(in: -6_000_000_000...6_000_000_000, using: &random) * 1000)
            #expect(Timestamp(rfc3339: date.description) == date, "\(date)")
        }
    }
}
