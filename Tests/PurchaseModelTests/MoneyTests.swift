import Foundation
import PurchaseModel
import Testing

@Suite struct MoneyTests {
    @Test(
        arguments: [
            ("0", 0), ("0.99", 990), ("1.99", 1990), ("12", 12_000), ("0.5", 500), ("0.123", 123),
            ("999999999999.999", 999_999_999_999_999),
            ("", nil), (".", nil), (".99", nil), ("1.", nil), ("0.1234", nil), ("-1", nil), ("+1", nil), ("1,99", nil), ("1e3", nil),
            ("1.2.3", nil), (" 1", nil), ("١", nil), ("1000000000000", nil), ("0x10", nil), ("NaN", nil),
        ] as [(String, Int64?)])
    func `a decimal string is parsed exactly or rejected`(_ text: String, _ milliunits: Int64?) {
        #expect(Money(decimal: text, currency: "USD")?.milliunits == milliunits)
    }

    @Test(arguments: [(990, 4, 3960), (990, 0, 0), (0, 10, 0), (.max, 1, .max), (.max, 2, nil), (.min, -1, nil)] as [(Int64, Int, Int64?)])
    func `a total is exact, or nil on overflow`(_ milliunits: Int64, _ quantity: Int, _ total: Int64?) {
        #expect(Money(milliunits: milliunits, currency: "USD").times(quantity)?.milliunits == total)
    }

    @Test func `a price is formatted for a locale`() {
        let price = Money(milliunits: 990, currency: "USD")
        #expect(price.decimal == Decimal(string: "0.99"))
        #expect(price.formatted(locale: "en_US") == "$0.99")
        #expect(price.formatted(locale: "de_DE").hasPrefix("0,99"))
    }

    @Test(
        arguments: [(5, 4, 20), (5, 0, 0), (0, 10, 0), (.max, 1, .max), (.max, 2, nil), (-1, 1, nil), (1, -1, nil)] as [(Int, Int, Int?)])
    func `credits are exact, or nil on overflow and negative values`(_ perUnit: Int, _ quantity: Int, _ credits: Int?) {
        #expect(CreditRule.credits(perUnit: perUnit, quantity: quantity) == credits)
    }

    @Test(arguments: [(5, 4, 9), (5, -5, 0), (5, -6, nil), (.max, 1, nil), (0, .min, nil)] as [(Int, Int, Int?)])
    func `a balance never falls below zero`(_ balance: Int, _ amount: Int, _ result: Int?) {
        #expect(CreditRule.balance(balance, adding: amount) == result)
    }
}
