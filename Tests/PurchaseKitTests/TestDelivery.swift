import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import Synchronization

/// A delivery that records purchases in a vault, with simulated failures.
final class TestDelivery: Delivery {
    private struct State {
        var delivered: [TransactionID] = []
        var failures: [DeliveryError] = []
    }

    private let vault: Vault
    private let before: @Sendable (Purchase) async -> Void
    private let state = Mutex(State())

    init(_ vault: Vault, before: @escaping @Sendable (Purchase) async -> Void = { _ in }) {
        self.vault = vault
        self.before = before
    }

    /// The delivered transactions, in order.
    var delivered: [TransactionID] { state.withLock { $0.delivered } }

    /// Sets the errors of the next deliveries.
    func fail(_ errors: DeliveryError...) {
        state.withLock { $0.failures += errors }
    }

    func deliver(_ purchase: Purchase) async throws(DeliveryError) {
        await before(purchase)
        if let failure = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { throw failure }
        do {
            try await vault.record(purchase.source)
        } catch {
            throw .later(error.description)
        }
        state.withLock { $0.delivered.append(purchase.transaction.payload.transactionId) }
    }
}
