import Foundation
import PurchaseModel
public import StoreKit
import Synchronization

extension PaymentObserver: SKPaymentTransactionObserver {
    /// Delivers purchased transactions, finishes failed ones, and stores restored ones; the payment queue calls this method.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        var purchased: [SKPaymentTransaction] = []
        var restored: [SKPaymentTransaction] = []
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: requests.withLock { $0.bind(transaction) }
            case .deferred: wait(for: transaction)
            case .failed: fail(transaction)
            case .purchased: purchased.append(transaction)
            case .restored: restored.append(transaction)
            @unknown default: break
            }
        }
        content?.receive(purchased + restored, in: queue)
        showDownloads(of: purchased)
        if !purchased.isEmpty { deliveries.run { [self, purchased] in await deliver(purchased) } }
        self.restored.keep(restored)
        announceRestored()
    }

    /// Discards transactions that have left the payment queue, which calls this method.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        restored.remove(transactions)
        content?.remove(transactions)
        hideDownloads(of: transactions)
    }

    /// Continues a restore after the payment queue has announced all restored transactions; the queue calls this method.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restored.receive(.finished)
    }

    /// Ends a restore that failed; the payment queue calls this method.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        restored.receive(.failed(PurchaseFailure(storeKit1: error)))
    }

    // MARK: - Transactions

    private func fail(_ transaction: SKPaymentTransaction) {
        queue.finishTransaction(transaction)
        guard let failure = PurchaseFailure(storeKit1: transaction.error, of: transaction.payment) else {
            return complete(transaction, .canceled)
        }
        let product = ProductID(transaction.payment.productIdentifier)
        send { $0.announce(.failed(product, failure)) }
        complete(transaction, .failed(failure))
    }

    private func wait(for transaction: SKPaymentTransaction) {
        let payment = transaction.payment
        let (product, quantity) = (ProductID(payment.productIdentifier), payment.quantity)
        let isNew = requests.withLock { $0.hasSeen(transaction) }
        send { purchases in
            // Skip a pending payment of an earlier app session: the queue announces the payment again, but the vault already contains it.
            let pending = await purchases.configuration.vault.contents.pending
            guard isNew || !pending.contains(where: { $0.productID == product && $0.quantity == quantity }) else { return }
            _ = await purchases.wait(for: product, quantity)
        }
        complete(transaction, .pending)
    }

    private func deliver(_ transactions: [SKPaymentTransaction]) async {
        let expected = transactions.filter { transaction in requests.withLock { $0.isExpected(transaction) } }
            .compactMap { $0.transactionIdentifier.map { TransactionID($0) } }
        await MainActor.run { purchases.expected.formUnion(expected) }
        let signed = await lookup.find(Set(transactions.compactMap { $0.transactionIdentifier.map { TransactionID($0) } }))
        await withDiscardingTaskGroup { group in
            for transaction in transactions {
                group.addTask {
                    await self.deliver(transaction, transaction.transactionIdentifier.flatMap { signed[TransactionID($0)] })
                }
            }
        }
    }

    private func deliver(_ transaction: SKPaymentTransaction, _ signed: SignedTransaction?) async {
        guard let signed else {
            // If StoreKit 2 does not list the transaction yet, do not finish it; the kit delivers it when StoreKit 2 reports it.
            guard !queue.transactions.contains(transaction) else { return complete(transaction, .failed(PurchaseFailure(.unverified))) }
            // Look the transaction up again, because `Purchases` may have delivered and finished it since the queue's announcement.
            if let id = transaction.transactionIdentifier.map({ TransactionID($0) }), let signed = await lookup.find([id])[id] {
                return await deliver(transaction, signed)
            }
            // Report that other code of the app has finished the transaction, because StoreKit 2 lists no finished consumable.
            let product = ProductID(transaction.payment.productIdentifier)
            send { $0.noteFinishedElsewhere(product) }
            return complete(transaction, .failed(PurchaseFailure(.finishedElsewhere)))
        }
        let result = await session.engine.fulfill(
            IncomingTransaction(signed: signed) { [queue] in queue.finishTransaction(transaction) })
        if let id = result.purchase?.id { send { $0.expected.remove(id) } }
        complete(transaction, PurchaseOutcome(result))
    }

    private func complete(_ transaction: SKPaymentTransaction, _ outcome: PurchaseOutcome) {
        guard let continuation = requests.withLock({ $0.complete(transaction) }) else { return }
        sendPurchasing(transaction.payment.productIdentifier)
        continuation?.resume(returning: outcome)
    }

    /// Announces the products of restored transactions that no event has announced and no restore has offered.
    func announceRestored() {
        let products = restored.takeUnannounced()
        guard !products.isEmpty else { return }
        send { purchases in
            let reason = await Self.reason(in: purchases.configuration.vault)
            purchases.announce(.restorable(products, reason: reason))
        }
    }
}
