/// An account in the double-entry ledger of one customer and one currency.
///
/// The sum over all accounts is always zero: what the customer's balance gains, another account loses.
public enum LedgerAccount: String, Codable, Hashable, Sendable, CaseIterable {
    /// The credits that the customer can debit; negative after a refund of spent credits, if the refund policy allows a debt.
    case balance
    /// The source of the credits of purchases.
    case purchases
    /// The source of the credits that a backend grants.
    case grants
    /// The destination of debited credits.
    case debits
    /// The destination of credits that a refund revoked.
    case refunds
    /// The source of credits that a refund revoked although they were spent, under the policy ``RefundPolicy/floor``.
    case writeOffs = "write-offs"
    /// The counterpart of balances that move from one customer to another when the two are merged.
    case transfers
}

/// A change of one account of the ledger.
public struct LedgerEntry: Codable, Hashable, Sendable {
    /// The account.
    public var account: LedgerAccount
    /// The number of credits that the account gains, or loses if negative.
    public var amount: Int64

    /// Creates an entry.
    public init(_ account: LedgerAccount, _ amount: Int64) {
        self.account = account
        self.amount = amount
    }
}

/// What a refund of spent credits does.
public enum RefundPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// The balance becomes zero, and the missing credits are written off.
    case floor
    /// The balance becomes negative, and later credits pay the debt.
    case debt
    /// The balance becomes negative, and all debits are refused until a backend lifts the freeze.
    case freeze
}

/// The state of one customer's credits in one currency, and the rules that change it.
///
/// Each method returns the entries of one posting, whose sum is zero, and changes the state to the one after the posting.
public struct CreditBalance: Codable, Hashable, Sendable {
    /// The sum of the entries of ``LedgerAccount/balance``.
    public private(set) var amount: Int64
    /// Whether debits are refused, under the policy ``RefundPolicy/freeze``.
    public private(set) var isFrozen: Bool

    /// The reason why a posting is refused; the state is unchanged.
    public enum Refusal: Error, Hashable, Sendable {
        /// The amount is not positive, or the resulting balance exceeds 64 bits.
        case amount
        /// The balance is less than the debited amount.
        case insufficient
        /// A refund of spent credits has frozen the balance.
        case frozen
    }

    /// Creates a state; the default is that of a new customer.
    public init(amount: Int64 = 0, isFrozen: Bool = false) {
        self.amount = amount
        self.isFrozen = isFrozen
    }

    /// Adds credits from an account such as ``LedgerAccount/purchases``.
    public mutating func credit(_ credits: Int64, from source: LedgerAccount) throws(Refusal) -> [LedgerEntry] {
        try add(credits)
        return [LedgerEntry(.balance, credits), LedgerEntry(source, -credits)]
    }

    /// Debits credits, which never makes the balance negative.
    public mutating func debit(_ credits: Int64) throws(Refusal) -> [LedgerEntry] {
        guard credits > 0 else { throw .amount }
        guard !isFrozen else { throw .frozen }
        guard amount >= credits else { throw .insufficient }
        amount -= credits
        return [LedgerEntry(.balance, -credits), LedgerEntry(.debits, credits)]
    }

    /// Revokes credits of a refunded purchase.
    ///
    /// - Returns: The entries, and the number of credits that were written off because they were spent.
    public mutating func revoke(
        _ credits: Int64, policy: RefundPolicy
    ) throws(Refusal) -> (entries: [LedgerEntry], writtenOff: Int64) {
        let available = min(max(amount, 0), max(credits, 0))
        let missing = policy == .floor ? credits - available : 0
        return (try revoke(credits, writtenOff: missing, freezesDebt: policy == .freeze), missing)
    }

    /// Revokes credits of a refunded purchase, a given part of which is written off.
    ///
    /// - Parameters:
    ///   - credits: The credits to revoke.
    ///   - writtenOff: The part of `credits` that is written off because it was spent.
    ///   - freezesDebt: Whether a negative balance is frozen.
    public mutating func revoke(_ credits: Int64, writtenOff: Int64, freezesDebt: Bool) throws(Refusal) -> [LedgerEntry] {
        guard credits > 0, (0...credits).contains(writtenOff) else { throw .amount }
        let (rest, overflow) = amount.subtractingReportingOverflow(credits - writtenOff)
        guard !overflow else { throw .amount }
        amount = rest
        if freezesDebt, amount < 0 { isFrozen = true }
        let entries = [
            LedgerEntry(.balance, writtenOff - credits), LedgerEntry(.refunds, credits), LedgerEntry(.writeOffs, -writtenOff),
        ]
        return entries.filter { $0.amount != 0 }
    }

    /// Adds the credits of a reversed refund again, except for those that the refund wrote off.
    public mutating func reinstate(_ credits: Int64, writtenOff: Int64) throws(Refusal) -> [LedgerEntry] {
        guard credits > 0, (0...credits).contains(writtenOff) else { throw .amount }
        if credits > writtenOff { try add(credits - writtenOff) }
        let entries = [
            LedgerEntry(.balance, credits - writtenOff), LedgerEntry(.writeOffs, writtenOff), LedgerEntry(.refunds, -credits),
        ]
        return entries.filter { $0.amount != 0 }
    }

    /// Moves a whole balance to another customer, including a debt and a freeze.
    ///
    /// - Returns: The entries of the posting for each of the two customers.
    public static func move(
        from source: inout CreditBalance, to target: inout CreditBalance
    ) throws(Refusal) -> (source: [LedgerEntry], target: [LedgerEntry]) {
        let amount = source.amount
        let (sum, overflow) = target.amount.addingReportingOverflow(amount)
        let (negated, negationOverflow) = Int64(0).subtractingReportingOverflow(amount)
        guard !overflow, !negationOverflow else { throw .amount }
        target = CreditBalance(amount: sum, isFrozen: target.isFrozen || source.isFrozen)
        source = CreditBalance()
        guard amount != 0 else { return ([], []) }
        return (
            [LedgerEntry(.balance, negated), LedgerEntry(.transfers, amount)],
            [LedgerEntry(.balance, amount), LedgerEntry(.transfers, negated)]
        )
    }

    /// Moves a balance back to the customer from whom ``move(from:to:)`` moved it.
    ///
    /// - Parameters:
    ///   - moved: The balance that was moved.
    ///   - target: The balance of the customer to whom it was moved.
    ///   - wasFrozen: Whether the target was frozen before.
    ///   - source: The balance of the customer from whom it was moved.
    /// - Returns: The entries of the posting for each of the two customers.
    public static func moveBack(
        _ moved: CreditBalance, from target: inout CreditBalance, wasFrozen: Bool, to source: inout CreditBalance
    ) throws(Refusal) -> (source: [LedgerEntry], target: [LedgerEntry]) {
        var (part, returned) = (moved, source)
        let (rest, overflow) = target.amount.subtractingReportingOverflow(moved.amount)
        guard !overflow else { throw .amount }
        let entries = try move(from: &part, to: &returned)
        (source, target) = (returned, CreditBalance(amount: rest, isFrozen: wasFrozen))
        return (entries.target, entries.source)
    }

    /// Lifts a freeze.
    public mutating func unfreeze() { isFrozen = false }

    private mutating func add(_ credits: Int64) throws(Refusal) {
        guard credits > 0 else { throw .amount }
        let (sum, overflow) = amount.addingReportingOverflow(credits)
        guard !overflow else { throw .amount }
        amount = sum
    }
}
