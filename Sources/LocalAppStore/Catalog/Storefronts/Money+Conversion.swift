public import PurchaseModel

extension Money {
    /// The price that the App Store might charge in another currency for this one.
    ///
    /// The same in its own currency, and nothing for nothing. Otherwise it is multiplied by the rates of ``StoreCurrency`` and
    /// rounded to the nearest price of the currency's style: whole tens of yen, whole krona, …; elsewhere the nearest .99, or below one
    /// unit the nearest that ends in 9. It is never nothing, and prices beyond 64 bits become the highest.
    public func converted(to currency: String) -> Money {
        guard currency != self.currency, milliunits > 0 else { return Money(milliunits: max(0, milliunits), currency: currency) }
        let target = StoreCurrency(currency)
        let (from, to) = (Int128(StoreCurrency(self.currency).milliunitsPerDollar), Int128(target.milliunitsPerDollar))
        let exact = Int128(milliunits) * to / from
        // 64 bits times 64 bits fit into 128, and steps are small.
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
