public import Foundation

/// An amount of money in thousandths of a currency unit, like prices in signed transactions: 1.99 USD is 1990.
public struct Money: Hashable, Codable, Sendable {
    /// The amount in thousandths of the currency unit.
    public let milliunits: Int64
    /// The ISO 4217 code of the currency.
    public let currency: String

    /// Creates an amount of money.
    public init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }

    /// Parses the text of an amount, such as `0.99`; nil for a negative number, more than three decimals, or any other text.
    public init?(decimal text: String, currency: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard let whole = parts.first, !whole.isEmpty, whole.count <= 12, fraction.count <= 3, parts.count == 1 || !fraction.isEmpty,
            (whole + fraction).allSatisfy({ $0.isASCII && $0.isNumber }),
            let milliunits = Int64(whole + fraction + String(repeating: "0", count: 3 - fraction.count))
        else { return nil }
        self.init(milliunits: milliunits, currency: currency)
    }

    /// The amount in currency units.
    public var decimal: Decimal {
        Decimal(milliunits) / 1000
    }

    /// Returns the amount multiplied by `quantity`, or nil for an overflow.
    public func times(_ quantity: Int) -> Money? {
        let (product, overflow) = milliunits.multipliedReportingOverflow(by: Int64(quantity))
        return overflow ? nil : Money(milliunits: product, currency: currency)
    }

    /// Returns the amount as text in the format of a locale, such as `$0.99`.
    public func formatted(locale identifier: String) -> String {
        decimal.formatted(.currency(code: currency).locale(Locale(identifier: identifier)))
    }
}
