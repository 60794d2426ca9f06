/// How many credits a purchase adds to a balance.
public enum CreditRule {
    /// Credits of one product times the quantity bought; nil when that does not fit, or a number is negative.
    public static func credits(perUnit: Int, quantity: Int) -> Int? {
        guard perUnit >= 0, quantity >= 0 else { return nil }
        let (product, overflow) = perUnit.multipliedReportingOverflow(by: quantity)
        return overflow ? nil : product
    }

    /// The balance after adding `amount`, or taking it when negative; nil when it would fall below zero or not fit.
    public static func balance(_ balance: Int, adding amount: Int) -> Int? {
        let (sum, overflow) = balance.addingReportingOverflow(amount)
        return overflow || sum < 0 ? nil : sum
    }
}
