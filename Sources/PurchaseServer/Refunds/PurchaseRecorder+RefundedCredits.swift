package import PurchaseModel
package import PurchaseStorage

/// The credits that a refund revokes, and the credits that its reversal returns.
///
/// ``EntitlementProjection`` decides which access a refund ends.
extension PurchaseRecorder {
    /// Debits the credits that refunds of a charge revoke, and restores the credits of reversed refunds.
    package func reconcileRefunds(
        of charge: String, of purchase: TransactionID, hasUntyped: Bool, in records: any StorageTransaction
    ) throws {
        guard var credit = try records.credit(ofCharge: charge, of: purchase) else { return }
        let share = try revokedPercentage(ofCharge: charge, of: purchase, hasUntyped: hasUntyped, in: records)
        let revoked = Int64(CreditRule.credits(share, of: Int(credit.credits)))
        guard revoked != credit.revoked else { return }
        let change = revoked - credit.revoked
        // Increment with overflow, because a damaged number must not stop the server; a rebuild repairs the number.
        credit.changes &+= 1
        let key = "\(purchase) \(charge) \(credit.changes)"
        // Post the change to the merge target if the customer was merged after the credits were added.
        let customer = try records.current(credit.customer)
        if change > 0 {
            var writtenOff: Int64 = 0
            let posting = try post(.refund, key: key, of: customer, in: credit.currency, records) { balance throws(CreditBalance.Refusal) in
                let revocation = try balance.revoke(change, policy: refundPolicy)
                writtenOff = revocation.writtenOff
                return revocation.entries
            }
            credit.writtenOff += writtenOff
            try records.insert(
                CreditDecision(credit, .refund, posting, credits: change, writtenOff: writtenOff, refundPolicy: refundPolicy))
        } else {
            let restored = min(-change, credit.writtenOff)
            let posting = try post(.refundReversal, key: key, of: customer, in: credit.currency, records) {
                balance throws(CreditBalance.Refusal) in
                try balance.reinstate(-change, writtenOff: restored)
            }
            credit.writtenOff -= restored
            try records.insert(CreditDecision(credit, .refundReversal, posting, credits: -change, writtenOff: restored))
        }
        credit.revoked = revoked
        try records.put(credit)
    }

    /// Returns the revoked share of a charge, according to all signed transactions of the charge.
    ///
    /// - Parameter hasUntyped: Whether stored transactions of the purchase may lack their product type.
    package func revokedPercentage(
        ofCharge charge: String, of purchase: TransactionID, hasUntyped: Bool, in records: any StorageTransaction
    ) throws -> Int {
        let share = try records.revokedPercentage(ofCharge: charge, of: purchase)
        guard hasUntyped else { return share }
        let catalog = catalog.catalog
        let untyped = try records.transactions(of: purchase).map(\.transaction).filter { $0.type == nil }
            .map { $0.typed(by: catalog) }.filter { CreditRule.charge(of: $0) == charge }
        return max(share, CreditRule.revokedPercentage(by: untyped))
    }
}
