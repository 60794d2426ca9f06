import PurchaseModel

/// The credits of the purchases that were delivered on this device, and the debits of these credits.
///
/// The balances are computed from the entries of the vault. A stored balance would miss a refund that arrives before the delivery.
struct CreditAccounts: Sendable {
    /// The share of a completely revoked charge, in thousandths of a percent.
    static let fullShare = 100_000

    private struct Charge: Sendable {
        let credits: DeliveredCredits
        var revoked: Int64 = 0
        var writtenOff: Int64 = 0
    }

    private static func add(_ credits: DeliveredCredits, to balances: inout [CurrencyID: CreditBalance]) -> Bool {
        (try? balances[credits.currency, default: CreditBalance()].credit(credits.amount, from: .purchases)) != nil
    }

    private let policy: RefundPolicy
    private(set) var balances: [CurrencyID: CreditBalance] = [:]
    private var charges: [OpaqueText: [Charge]] = [:]

    init(policy: RefundPolicy) {
        self.policy = policy
    }

    /// Returns whether each balance stays in range after credits are added.
    func canAdd(_ credits: [DeliveredCredits]) -> Bool {
        var balances = balances
        return credits.allSatisfy { Self.add($0, to: &balances) }
    }

    /// Returns whether the credits of a charge were added.
    func hasCredits(of charge: String) -> Bool { charges[OpaqueText(charge)] != nil }

    /// Adds the credits of a charge, unless they were added before.
    mutating func credit(_ credits: [DeliveredCredits], for charge: String) {
        let charge = OpaqueText(charge)
        guard charges[charge] == nil else { return }
        charges[charge] = credits.filter { Self.add($0, to: &balances) }.map { Charge(credits: $0) }
    }

    mutating func debit(_ debit: VaultDebit) {
        _ = try? balances[debit.currency]?.debit(debit.amount)
    }

    /// Adapts the balances to the revoked share of a charge, in thousandths of a percent; 0 reverses a refund.
    mutating func revoke(_ share: Int, of charge: String) {
        let charge = OpaqueText(charge)
        guard let credits = charges[charge] else { return }
        charges[charge] = credits.map { revoked($0, share) }
    }

    /// Adapts the balance to the revoked share of a charge, and returns the changed charge.
    private mutating func revoked(_ charge: Charge, _ share: Int) -> Charge {
        var charge = charge
        let revoked = Int64(CreditRule.credits(share, of: Int(clamping: charge.credits.amount)))
        guard revoked != charge.revoked else { return charge }
        var balance = balances[charge.credits.currency] ?? CreditBalance()
        // Add all revoked credits again before the new share is revoked, because the new share replaces the earlier share.
        if charge.revoked > 0 { _ = try? balance.reinstate(charge.revoked, writtenOff: charge.writtenOff) }
        charge.writtenOff = 0
        if revoked > 0, let result = try? balance.revoke(revoked, policy: policy) { charge.writtenOff = result.writtenOff }
        charge.revoked = revoked
        balances[charge.credits.currency] = balance
        return charge
    }
}
