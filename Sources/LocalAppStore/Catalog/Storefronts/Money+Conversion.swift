public import PurchaseModel

extension Money {
    /// Returns an estimate of the App Store's price in another currency.
    ///
    /// A price that is already in the currency does not change, and a price of 0 stays 0. Any other price is multiplied by the rates of
    /// ``StoreCurrency`` and rounded to a price that is usual in the currency, such as whole tens of yen or whole kronor. In other
    /// currencies, the price ends in .99, or in 9 below one unit. The result is never 0; a result that exceeds 64 bits becomes the highest
    /// price.
    public func converted(to currency: String) -> Money {
        guard currency != self.currency, milliunits > 0 else { return Money(milliunits: max(0, milliunits), currency: currency) }
        let target = StoreCurrency(currency)
        let (from, to) = (Int128(StoreCurrency(self.currency).milliunitsPerDollar), Int128(target.milliunitsPerDollar))
        let exact = Int128(milliunits) * to / from
        // The product of two 64-bit numbers fits into 128 bits, so the multiplication cannot overflow.
        let step: Int128
        let short: Int128
        if target.step > 0 {
            (step, short) = (Int128(target.step) * 1000, 0)
        } else {
            (step, short) = (exact < 1000 ? 100 : 1000, 10)
        }
        let rounded = max((exact + short + step / 2) / step * step, step) - short
        return Money(milliunits: Int64(clamping: rounded), currency: currency)
    }
}
