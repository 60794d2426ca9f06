import PurchaseModel

/// Decides which debits a server must refuse, from the balances after its messages.
///
/// With the policy `freeze`, a balance that a refund made negative refuses every debit until a backend lifts the freeze, also when later
/// credits paid the debt. The oracle uses nothing of what it checks, such as `CreditBalance`.
struct FreezeOracle {
    /// The result of a debit.
    enum Debit {
        case made, insufficient, frozen
    }

    private var frozen: Set<CustomerID> = []
    /// The number of debits that were refused because of a freeze.
    private(set) var refusals = 0
    /// The results that were wrong, one per line; empty if all were correct.
    private(set) var violations: [String] = []

    /// Observes a balance after a refund.
    mutating func observe(balance: Int64, of customer: CustomerID) {
        if balance < 0 { frozen.insert(customer) }
    }

    /// Compares the result of a debit with the expected one.
    mutating func check(_ debit: Debit, of amount: Int64, from balance: Int64, of customer: CustomerID) {
        let expected: Debit = frozen.contains(customer) ? .frozen : amount > balance ? .insufficient : .made
        if expected == .frozen { refusals += 1 }
        if debit != expected { violations.append("debit of \(amount) from \(balance) of \(customer): \(debit), expected \(expected)") }
    }
}
