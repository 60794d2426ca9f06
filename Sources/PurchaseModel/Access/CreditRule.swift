/// The credits that purchases add to a balance, and that refunds debit.
///
/// One charge adds its credits once, for any of its transactions and in any order:
///
/// | kind of product | charge |
/// |---|---|
/// | consumable, non-renewing subscription | each transaction |
/// | auto-renewable subscription | each period, identified by its `webOrderLineItemId`, which restores of the period carry too |
/// | non-consumable, free subscription | each original transaction |
public enum CreditRule {
    /// The full price in thousandths of a percent, the unit of ``TransactionPayload/revocationPercentage``.
    static let fullPercentage = 100_000

    /// The credits of one product times the quantity; nil for an overflow or a negative number.
    public static func credits(perUnit: Int, quantity: Int) -> Int? {
        guard perUnit >= 0, quantity >= 0 else { return nil }
        let (product, overflow) = perUnit.multipliedReportingOverflow(by: quantity)
        return overflow ? nil : product
    }

    /// The balance after a credit of `amount`, or a debit when `amount` is negative; nil for a negative result or an overflow.
    public static func balance(_ balance: Int, adding amount: Int) -> Int? {
        let (sum, overflow) = balance.addingReportingOverflow(amount)
        return overflow || sum < 0 ? nil : sum
    }

    /// The identifier of the charge that a transaction belongs to; nil when this customer was not charged.
    ///
    /// A restore has the charge of the restored transaction. A Family Sharing entitlement has no charge. A transaction of an unknown
    /// product type or ownership type has no charge, and neither has a subscription transaction without `webOrderLineItemId`.
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

    /// Whether a transaction belongs to a charge that adds credits.
    ///
    /// Except for auto-renewable subscriptions, a transaction whose identifier differs from its original identifier is a restore, or a
    /// purchase of an already owned product: it has no charge. All subscription transactions but the first differ from their original
    /// transaction. The charge of the period distinguishes a renewal and its restores from other periods.
    public static func addsCredits(_ transaction: TransactionPayload) -> Bool {
        charge(of: transaction) != nil
            && (transaction.productType == .autoRenewable || transaction.transactionId == transaction.originalTransactionId)
    }

    /// The revoked share of a charge, in thousandths of a percent, according to all signed transactions of the charge.
    ///
    /// The newest revocation counts, unless a later signed version of the revoked transaction has no revocation. The result depends on
    /// the set of signed transactions, and not on their order or on duplicates.
    public static func revokedPercentage(by transactions: some Sequence<TransactionPayload>) -> Int {
        var newest: [TransactionID: TransactionPayload] = [:]
        var revoked: Set<TransactionID> = []
        for transaction in transactions {
            let id = transaction.transactionId
            if transaction.isRevoked { revoked.insert(id) }
            if newest[id].map({ order(of: $0) < order(of: transaction) }) ?? true { newest[id] = transaction }
        }
        let reversal = newest.values.filter { !$0.isRevoked && revoked.contains($0.transactionId) }.map(\.signedDate).max()
        let revocations = newest.values.filter { transaction in
            transaction.isRevoked && (reversal.map { transaction.signedDate > $0 } ?? true)
        }
        return revocations.map { order(of: $0) }.max { $0 < $1 }?.1 ?? 0
    }

    /// The credits of a share of a charge, which is in thousandths of a percent; the result is rounded down.
    public static func credits(_ percentage: Int, of credits: Int) -> Int {
        let percentage = min(max(percentage, 0), fullPercentage)
        // Dividing before multiplying prevents an overflow.
        return credits / fullPercentage * percentage + credits % fullPercentage * percentage / fullPercentage
    }

    /// The sort key: the signature date; at the same date a revoked version comes after one without revocation.
    private static func order(of transaction: TransactionPayload) -> (Timestamp, Int) {
        (transaction.signedDate, transaction.isRevoked ? percentage(of: transaction) : -1)
    }

    /// The share of a revocation: the full charge, except for a prorated refund with a percentage.
    private static func percentage(of revocation: TransactionPayload) -> Int {
        guard revocation.kindOfRevocation == .proratedRefund, let percentage = revocation.revocationPercentage,
            (0...fullPercentage).contains(percentage)
        else { return fullPercentage }
        return percentage
    }
}
