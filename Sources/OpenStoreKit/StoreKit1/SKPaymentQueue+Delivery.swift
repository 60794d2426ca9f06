import Foundation
import PurchaseModel
import Synchronization

/// What comes from the engine and goes to observers and delegate.
extension SKPaymentQueue {
    func attach(_ engine: PaymentEngine, _ attention: UserAttention, _ downloads: DownloadCenter) {
        state.withLock { state in
            state.engine = engine
            state.attention = attention
            state.downloads = downloads
        }
        downloads.attach(self)
        engine.storefrontGate.withLock { gate in
            gate = { [weak self] payment, storefront in await self?.shouldContinue(payment, in: storefront) ?? true }
        }
    }

    /// Forgets every transaction at once, before the engine has said whose queue it is now.
    func forget() {
        state.withLock { $0.contents = QueueContents() }
    }

    func submit(_ command: PaymentEngine.Command) {
        state.withLock { $0.engine }?.submit(command)
    }

    func receive(_ announcement: Announcement) {
        callbacks.submit { [weak self] in self?.deliver(announcement) }
    }

    /// Tells a new observer of every transaction in the queue.
    func welcome(_ listener: Listener<any SKPaymentTransactionObserver>) {
        let waiting = transactions
        if !waiting.isEmpty { call(listener) { $0.paymentQueue(self, updatedTransactions: waiting) } }
    }

    /// Runs on the callback queue; observers are called without any lock.
    private func deliver(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            let updated = state.withLock { state in
                records.map { state.contents.update($0, payment: state.payments.removeValue(forKey: $0.id)) }
            }
            guard !updated.isEmpty else { return }
            if let downloads = state.withLock({ $0.downloads }) {
                for (record, transaction) in zip(records, updated) { downloads.adopt(record, transaction) }
            }
            callAll { $0.paymentQueue(self, updatedTransactions: updated) }
        case .removed(let ids):
            let removed = state.withLock { $0.contents.remove(ids) }
            guard !removed.isEmpty else { return }
            let (downloads, engine) = state.withLock { ($0.downloads, $0.engine) }
            let hosted = removed.filter { !$0.downloads.isEmpty }.compactMap { $0.transactionIdentifier.map { TransactionID($0) } }
            if !hosted.isEmpty { downloads?.leave(hosted, owner: engine?.state.owner) }
            callAll { $0.paymentQueue(self, removedTransactions: removed) }
        case .restoreFinished:
            callAll { $0.paymentQueueRestoreCompletedTransactionsFinished(self) }
        case .restoreFailed(let failure):
            callAll { $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: failure.error) }
        case .revoked(let products):
            callAll { $0.paymentQueue(self, didRevokeEntitlementsForProductIdentifiers: products.map(\.rawValue)) }
        case .storefrontChanged:
            callAll { $0.paymentQueueDidChangeStorefront(self) }
        case .promoted(let promotion):
            describe(promotion)
        case .message(let message):
            consider(message)
        }
    }

    func callAll(_ body: (any SKPaymentTransactionObserver) -> Void) {
        for listener in state.withLock({ $0.observers }) {
            call(listener, body)
        }
    }

    /// Calls an observer unless it was removed meanwhile, perhaps by the one that was called before it.
    private func call(
        _ listener: Listener<any SKPaymentTransactionObserver>,
        _ body: (any SKPaymentTransactionObserver) -> Void
    ) {
        guard state.withLock({ $0.observers.contains { $0.isSame(as: listener) } }) else { return }
        _ = listener.call(body)
    }

    // MARK: - Work that waits for the store or the user

    /// Runs work after what was begun before, away from the callback queue.
    func work(_ body: @escaping @Sendable (PaymentEngine) async -> Void) {
        state.withLock { state in
            guard let engine = state.engine else { return }
            let before = state.work
            state.work = Task {
                await before?.value
                await body(engine)
            }
        }
    }

    /// Returns when the work that was begun so far is done.
    func workDone() async {
        await state.withLock { $0.work }?.value
    }
}
