/// How many credits purchases add to a balance, and how many refunds take back.
///
/// One charge adds its credits once, whichever of its transactions are shown, and in whatever order:
///
/// | kind of product | charge |
/// |---|---|
/// | consumable, non-renewing subscription | each transaction |
/// | auto-renewable subscription | each period, named by its `webOrderLineItemId`, which its restores carry too |
/// | non-consumable, free subscription | each original transaction |
public enum CreditRule {
    /// All of a price, in thousandths of a percent, as ``TransactionPayload/revocationPercentage`` counts.
    static let whole = 100_000

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

    /// Names the charge that a transaction belongs to; nil when nobody charged this customer.
    ///
    /// A restore names the charge of what it restores. A Family Sharing copy has none, and neither has a kind of product or of
    /// ownership that is not known here, nor a subscription's transaction without `webOrderLineItemId`.
    public static func charge(of transaction: TransactionPayload) -> String? {
        guard transaction.inAppOwnershipType == nil || transaction.ownership == .purchased else { return nil }
        switch transaction.productType {
        case .autoRenewable:
            guard let line = transaction.webOrderLineItemId, !line.isEmpty, line != "0" else { return nil }
            return "order-line:\(line)"
        case .consumable, .nonRenewing, .nonConsumable, .freeSubscription:
            return "transaction:\(transaction.originalTransactionId)"
        case nil:
            return nil
        }
    }

    /// Whether a transaction shows a charge that adds credits.
    ///
    /// Outside of auto-renewable subscriptions, a transaction whose id differs from its original's is a restore, or an owned
    /// product bought again: nobody paid for it. All transactions of a subscription but the first differ from their original, and
    /// the period's charge tells its renewal and the renewal's restores apart from other periods.
    public static func addsCredits(_ transaction: TransactionPayload) -> Bool {
        charge(of: transaction) != nil
            && (transaction.productType == .autoRenewable || transaction.transactionId == transaction.originalTransactionId)
    }

    /// How much of a charge is taken back, in thousandths of a percent, by everything that was signed about it.
    ///
    /// The newest revocation counts, unless a newer statement says of a revoked transaction that it is not revoked any more. The
    /// answer depends on the set of statements, and not on the order in which they came or on repeats.
    public static func revokedShare(by statements: some Sequence<TransactionPayload>) -> Int {
        var newest: [TransactionID: TransactionPayload] = [:]
        var revoked: Set<TransactionID> = []
        for statement in statements {
            let id = statement.transactionId
            if statement.isRevoked { revoked.insert(id) }
            if newest[id].map({ order(of: $0) < order(of: statement) }) ?? true { newest[id] = statement }
        }
        let reversal = newest.values.filter { !$0.isRevoked && revoked.contains($0.transactionId) }.map(\.signedDate).max()
        let revocations = newest.values.filter { statement in
            statement.isRevoked && (reversal.map { statement.signedDate > $0 } ?? true)
        }
        return revocations.map { order(of: $0) }.max { $0 < $1 }?.1 ?? 0
    }

    /// The credits that a share of a charge comes to, in thousandths of a percent, rounded down.
    public static func part(_ share: Int, of credits: Int) -> Int {
        let share = min(max(share, 0), whole)
        // Divided first, so that nothing overflows.
        return credits / whole * share + credits % whole * share / whole
    }

    /// By date of signing, and of the same moment a revocation is never undone by its own past.
    private static func order(of statement: TransactionPayload) -> (Timestamp, Int) {
        (statement.signedDate, statement.isRevoked ? share(of: statement) : -1)
    }

    /// All but for a prorated refund of a stated percentage.
    private static func share(of revocation: TransactionPayload) -> Int {
        guard revocation.kindOfRevocation == .proratedRefund, let percentage = revocation.revocationPercentage,
            (0...whole).contains(percentage)
        else { return whole }
        return percentage
    }
}
