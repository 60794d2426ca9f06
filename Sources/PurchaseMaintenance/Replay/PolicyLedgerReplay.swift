import PurchaseModel
import PurchaseStorage

/// Replays a ledger with the credits and the refund policy of another configuration.
///
/// Debits, grants and merges remain as recorded, including a debit above the balance under the other configuration. The replay adds credits
/// that the database lacks, at the date of the purchase.
struct PolicyLedgerReplay {
    let records: SQLTransaction
    let refundPolicy: RefundPolicy
    /// Returns the change of a charge's credits; nil for equal credits.
    let change: (_ purchase: TransactionID, _ charge: String) throws -> PurchaseReplay.ChargeChange?
    /// Returns the charges with credits in a ledger under the other configuration, in the order of their dates.
    let additions: (LedgerKey) throws -> [PurchaseReplay.ChargeChange]

    /// The credits of a charge that refunds have revoked so far.
    private struct Revocation {
        /// The recorded credits that were revoked.
        var recorded: Int64 = 0
        /// The revoked credits under the other configuration, including written-off credits.
        var revoked: Int64 = 0
        var writtenOff: Int64 = 0
    }

    /// Returns the balance of a ledger under another configuration.
    func balance(of ledger: LedgerKey) throws -> CreditBalance {
        var revocations: [OpaqueText: Revocation] = [:]
        let replay = LedgerReplay(records) { ledger in
            try additions(ledger).filter { !$0.isInSameLedger }.map { addition in
                LedgerReplay.Insertion(isBefore: { addition.date <= $0.date }) { balance throws(CreditBalance.Refusal) in
                    guard let credits = addition.other else { return }
                    _ = try balance.credit(credits.credits, from: .purchases)
                    if credits.revoked > 0 { _ = try balance.revoke(credits.revoked, policy: refundPolicy) }
                }
            }
        } applyPurchase: { posting, _, balance in
            guard let kind = posting.kind, let purchase = posting.purchase,
                let decision = try records.creditDecision(kind, key: posting.key, of: purchase)
            else { return nil }
            let change = try change(purchase, decision.charge)
            guard change == nil || change?.isInSameLedger == true else { return nil }
            guard kind != .purchase else { return try balance.credit(change?.other?.credits ?? decision.credits, from: .purchases) }
            return try apply(
                decision, change, &revocations[OpaqueText("\(purchase) \(decision.charge)"), default: Revocation()], to: &balance)
        }
        return try replay.balance(of: ledger) { _, _, _ in }
    }

    /// Applies a refund or a reversal to the credits under the other configuration.
    private func apply(
        _ decision: CreditDecision, _ change: PurchaseReplay.ChargeChange?, _ revocation: inout Revocation, to balance: inout CreditBalance
    ) throws -> [LedgerEntry] {
        let recorded = revocation.recorded
        revocation.recorded =
            decision.kind == .refund ? recorded.adding(clamping: decision.credits) : recorded.subtracting(clamping: decision.credits)
        var target = revocation.recorded
        if let change, let present = change.present, let other = change.other {
            // Compute the last change from the signed transactions, and an earlier change in proportion to the recorded change.
            target =
                revocation.recorded == present.revoked
                ? other.revoked : PurchaseReplay.share(revocation.recorded, of: present.credits, of: other.credits)
        }
        let difference = target.subtracting(clamping: revocation.revoked)
        revocation.revoked = target
        if difference > 0 {
            let (entries, writtenOff) = try balance.revoke(difference, policy: refundPolicy)
            revocation.writtenOff = revocation.writtenOff.adding(clamping: writtenOff)
            return entries
        }
        guard difference < 0 else { return [] }
        let restored = min(difference.negated, revocation.writtenOff)
        revocation.writtenOff -= restored
        return try balance.reinstate(difference.negated, writtenOff: restored)
    }
}
