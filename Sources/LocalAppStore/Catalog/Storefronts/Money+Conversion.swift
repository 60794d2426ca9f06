public import PurchaseModel

extension Money {
    /// An estimate of the App Store's price in another currency.
    ///
    /// A price in its own currency does not change, and a price of zero stays zero. Any other price is multiplied by the rates of
    /// ``StoreCurrency`` and rounded to the nearest price of the currency's style: whole tens of yen, whole krona, …; in other
    /// currencies the nearest .99, or below one unit the nearest amount that ends in 9. The result is never zero, and prices beyond 64
    /// bits become the highest price.
    public func converted(to currency: String) -> Money {
        guard currency != self.currency, milliunits > 0 else { return Money(milliunits: max(0, milliunits), currency: currency) }
        let target = StoreCurrency(currency)
        let (from, to) = (Int128(StoreCurrency(self.currency).milliunitsPerDollar), Int128(target.milliunitsPerDollar))
        let exact = Int128(milliunits) * to / from
        // The product of two 64-bit numbers fits into 128 bits, and steps are small.
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
