/// A currency of the App Store, with its conversion rate.
///
/// The rates are close to the rates of 2025 and never change, so that a test always sees the same price. A catalog can set exact prices
/// (``CatalogProduct/prices``).
public struct StoreCurrency: Hashable, Sendable {
    /// The ISO 4217 code.
    public let code: String
    /// The number of fraction digits of an amount, such as 2 for USD and 0 for JPY.
    public let decimals: Int
    /// The value of one US dollar, in thousandths of the currency's main unit.
    public let milliunitsPerDollar: Int64
    /// The number of main units to whose multiples converted prices are rounded; 0 for prices that end in .99.
    public let step: Int64

    /// Creates a currency; values that are out of range are limited to the range.
    public init(code: String, decimals: Int, milliunitsPerDollar: Int64, step: Int64) {
        self.code = code
        self.decimals = min(max(decimals, 0), 3)
        self.milliunitsPerDollar = max(milliunitsPerDollar, 1)
        self.step = max(step, 0)
    }

    /// Creates the currency with an ISO 4217 code; an unknown currency has the rate of the US dollar.
    public init(_ code: String) {
        self = Self.byCode[code] ?? StoreCurrency(code: code, decimals: 2, milliunitsPerDollar: 1000, step: 0)
    }

    /// All currencies of the App Store.
    public static let all: [StoreCurrency] = [
        ("AED", 2, 3_670, 0), ("AUD", 2, 1_500, 0), ("BRL", 2, 5_500, 0), ("CAD", 2, 1_380, 0), ("CHF", 2, 850, 0),
        ("CLP", 0, 950_000, 10), ("CNY", 2, 7_200, 1), ("COP", 2, 4_200_000, 100), ("CZK", 2, 22_500, 1), ("DKK", 2, 6_900, 1),
        ("EGP", 2, 49_000, 0), ("EUR", 2, 920, 0), ("GBP", 2, 780, 0), ("HKD", 2, 7_800, 1), ("HUF", 2, 360_000, 10),
        ("IDR", 2, 16_000_000, 1_000), ("ILS", 2, 3_600, 0), ("INR", 2, 85_000, 1), ("JPY", 0, 150_000, 10), ("KRW", 0, 1_400_000, 100),
        ("KZT", 2, 500_000, 10), ("MXN", 2, 19_000, 1), ("MYR", 2, 4_400, 0), ("NGN", 2, 1_500_000, 100), ("NOK", 2, 10_500, 1),
        ("NZD", 2, 1_680, 0), ("PEN", 2, 3_700, 0), ("PHP", 2, 57_000, 1), ("PKR", 2, 280_000, 10), ("PLN", 2, 3_900, 0),
        ("QAR", 2, 3_640, 0), ("RON", 2, 4_600, 0), ("RUB", 2, 90_000, 1), ("SAR", 2, 3_750, 0), ("SEK", 2, 10_000, 1),
        ("SGD", 2, 1_340, 0), ("THB", 2, 34_000, 1), ("TRY", 2, 38_000, 0), ("TWD", 2, 32_000, 10), ("TZS", 2, 2_600_000, 100),
        ("USD", 2, 1_000, 0), ("VND", 0, 25_000_000, 1_000), ("ZAR", 2, 18_000, 0),
    ].map { StoreCurrency(code: $0.0, decimals: $0.1, milliunitsPerDollar: $0.2, step: $0.3) }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The smallest payable amount, in thousandths of the main unit: 10 for USD (one cent), 1000 for JPY (one yen).
    public var milliunitsPerMinorUnit: Int64 {
        switch decimals {
        case 0: 1000
        case 1: 100
        case 2: 10
        default: 1
        }
    }
}
