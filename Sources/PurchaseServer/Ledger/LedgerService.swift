import PurchaseModel

/// The balances of an app's customers.
struct LedgerService: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let clock: any WallClock

    /// Returns a customer's balance; 0 for a new customer, negative if a refund revoked spent credits.
    func balance(of customer: CustomerID, in currency: CurrencyID = .credits) async throws -> Int64 {
        try await storage.read(app) { try $0.balance(of: customer, in: currency).amount }
    }

    /// Debits credits from a customer's balance, once for each idempotency key; a repeated call returns the first result.
    ///
    /// - Returns: The balance after the debit.
    /// - Throws: ``LedgerRefusal``; nothing was debited.
    func debit(
        _ credits: Int64, key: String, from customer: CustomerID, in currency: CurrencyID = .credits
    ) async throws -> Int64 {
        try await storage.write(app) { [clock] records in
            if let earlier = try records.posting(.debit, key: key, of: customer, in: currency) {
                guard earlier.amount == -credits else { throw LedgerRefusal.keyReused }
                return earlier.balance
            }
            var balance = try records.balance(of: customer, in: currency)
            let entries: [LedgerEntry]
            do throws(CreditBalance.Refusal) {
                entries = try balance.debit(credits)
            } catch {
                switch error {
                case .amount: throw LedgerRefusal.amount
                case .insufficient: throw LedgerRefusal.insufficient(balance: balance.amount)
                case .frozen: throw LedgerRefusal.frozen
                }
            }
            try records.post(
                LedgerPosting(
                    customer: customer, currency: currency, key: key, kind: .debit, entries: entries, balance: balance.amount,
                    date: clock.now),
                balance: balance)
            return balance.amount
        }
    }
}
