import Foundation
public import PurchaseModel

extension Purchases {
    /// Debits credits, once for each idempotency key, such as the number of an order.
    ///
    /// Without a network, the debit is stored and sent later; the outcome is then ``DebitOutcome/provisional``.
    ///
    /// - Parameters:
    ///   - amount: The number of credits, greater than 0.
    ///   - currency: The currency of the credits.
    ///   - idempotencyKey: The identifier of the debit; a repeated identifier debits nothing.
    /// - Throws: ``DebitError`` if nothing was debited.
    public func debit(
        _ amount: Int64, of currency: CurrencyID, idempotencyKey: String
    ) async throws(DebitError) -> DebitOutcome {
        await prepareVault()
        let outcome = try await parts.ledger.debit(amount, of: currency, key: idempotencyKey)
        await refresh()
        return outcome
    }

    /// Permits debits again after ``PurchaseProblem/Kind/restoredFromBackup``, in an app without a server.
    ///
    /// The device has no record of credits that were spent after the backup, so the app decides. With a server, the kit uses
    /// the server's balance, and the method has no effect.
    ///
    /// - Parameter decision: Whether the balances of the backup are kept or cleared.
    /// - Throws: ``DebitError/storage(_:)``, without a change, if the decision can't be stored.
    public func resolveRestoredCredits(_ decision: RestoredCredits) async throws(DebitError) {
        guard configuration.server == nil else { return }
        await prepareVault()
        do {
            try await configuration.vault.change(in: parts.session, isOfCustomer: true) { (contents) throws(VaultError) in
                guard contents.needsReconciliation else { return [] }
                let credits = decision == .keep ? [:] : contents.restoredCredits
                return credits.sorted { $0.key < $1.key }.map { currency, amount in
                    .debited(VaultDebit(key: "restored \(UUID())", currency: currency, amount: amount, isForServer: false))
                } + [.reconciled]
            }
        } catch {
            throw .storage(error.description)
        }
        await refresh()
    }
}
