/// Calculates the credits that purchases add to a customer's balance, and that refunds debit.
///
/// Several transactions can belong to one charge, such as a purchase and its restores. Each charge adds its credits once, in whatever order
/// its transactions arrive. The kind of product determines what counts as one charge:
///
/// | kind of product | charge |
/// |---|---|
/// | consumable, non-renewing subscription | each transaction |
/// | auto-renewable subscription | each period, identified by `webOrderLineItemId`, which restores of the period have in common |
/// | non-consumable, free subscription | each original transaction |
public enum CreditRule {
    /// 100 percent, in thousandths of a percent, which is the unit of ``TransactionPayload/revocationPercentage``.
    static let fullPercentage = 100_000

    /// Returns the credits for a quantity of one product, or nil for a negative number or an overflow.
    public static func credits(perUnit: Int, quantity: Int) -> Int? {
        guard perUnit >= 0, quantity >= 0 else { return nil }
        let (product, overflow) = perUnit.multipliedReportingOverflow(by: quantity)
        return overflow ? nil : product
    }

    /// Returns the balance after a credit, or after a debit when `amount` is negative; nil for a negative result or an overflow.
    public static func balance(_ balance: Int, adding amount: Int) -> Int? {
        let (sum, overflow) = balance.addingReportingOverflow(amount)
        return overflow || sum < 0 ? nil : sum
    }

    /// Returns the identifier of the charge that a transaction belongs to, or nil when the transaction has no charge.
    ///
    /// A restored transaction belongs to the charge of the original purchase. A Family Sharing entitlement has no charge, because the
    /// customer did not pay. A transaction with an unknown product type or ownership type has no charge. A transaction of an auto-renewable
    /// subscription without `webOrderLineItemId` has no charge.
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

    /// Returns whether a transaction adds the credits of its charge.
    ///
    /// For an auto-renewable subscription, every transaction with a charge adds credits, because each period has its own charge. For any
    /// other product, only the original transaction adds credits: a transaction whose `transactionId` differs from its
    /// `originalTransactionId` is a restore, or a purchase of an already owned product.
    public static func addsCredits(_ transaction: TransactionPayload) -> Bool {
        charge(of: transaction) != nil
            && (transaction.productType == .autoRenewable || transaction.transactionId == transaction.originalTransactionId)
    }

    /// Returns the revoked share of a charge, in thousandths of a percent, according to all signed transactions of the charge.
    ///
    /// The newest revocation counts, unless a revoked transaction was signed again later without a revocation, which means that the refund
    /// was reversed. The order of the signed transactions and duplicates do not affect the result.
    public static func revokedPercentage(by transactions: some Sequence<TransactionPayload>) -> Int {
        var newest: [TransactionID: TransactionPayload] = [:]
        var revoked: Set<TransactionID> = []
        for transaction in transactions {
            let id = transaction.transactionId
            if transaction.isRevoked { revoked.insert(id) }
            if newest[id].map({ $0.version < transaction.version }) ?? true { newest[id] = transaction }
        }
        let reversal = newest.values.filter { !$0.isRevoked && revoked.contains($0.transactionId) }.map(\.signedDate).max()
        let revocations = newest.values.filter { transaction in
            transaction.isRevoked && (reversal.map { transaction.signedDate > $0 } ?? true)
        }
        return revocations.map(\.version).max { $0 < $1 }?.revokedShare ?? 0
    }

    /// Returns the credits of a share of a charge, rounded down.
    ///
    /// - Parameters:
    ///   - percentage: The share of the charge, in thousandths of a percent.
    ///   - credits: The credits of the whole charge.
    public static func credits(_ percentage: Int, of credits: Int) -> Int {
        let percentage = min(max(percentage, 0), fullPercentage)
        // Dividing before multiplying prevents an overflow.
        return credits / fullPercentage * percentage + credits % fullPercentage * percentage / fullPercentage
    }
}
