import Foundation
package import OpenStoreKit
import PurchaseModel
import Synchronization

/// The delivery of the device's announcements to observers and delegate.
extension SKPaymentQueue: AppQueue {
    package var isObserved: Bool { !transactionObservers.isEmpty }

    package func belong(to service: PaymentService) {
        service.attach(self) { records, promotions in
            state.withLock { state in
                state.service = service
                state.promotions = promotions
                for record in records { _ = state.update(record, service) }
            }
        }
    }

    package func forgetTransactions() {
        state.withLock { $0.contents = QueueContents() }
    }

    /// Tells observers of what the device knows nothing of, as if it came from there.
    func submit(_ announcement: Announcement) {
        callbacks.submit { [weak self] in self?.receive(announcement) }
    }

    /// Delivers every transaction in the queue to a new observer.
    func welcome(_ listener: Listener<any SKPaymentTransactionObserver>) {
        let waiting = transactions
        if !waiting.isEmpty { call(listener) { $0.paymentQueue(self, updatedTransactions: waiting) } }
    }

    // Observers are called without a lock.
    package func receive(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            let updated = state.withLock { state in records.map { state.update($0, state.service) } }
            guard !updated.isEmpty else { return }
            callAll { $0.paymentQueue(self, updatedTransactions: updated) }
        case .removed(let ids):
            let removed = state.withLock { state in
                let removed = state.contents.remove(ids)
                for transaction in removed {
                    for id in transaction.downloads.compactMap(\.record?.transaction) { state.downloads[id] = nil }
                }
                return removed
            }
            guard !removed.isEmpty else { return }
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

    package func receive(_ download: DownloadStatus, isNews: Bool) {
        guard let shown = state.withLock({ $0.downloads[download.record.transaction] }) else { return }
        // Observers of a change see the state of this change, not a later one.
        shown.update(download.record, remaining: download.remaining ?? SKDownloadTimeRemainingUnknown)
        if isNews { callAll { $0.paymentQueue(self, updatedDownloads: [shown]) } }
    }

    /// The transactions of downloads that belong to one in the queue; the others are passed over.
    func hosted(_ downloads: [SKDownload]) -> [TransactionID] {
        state.withLock { state in
            downloads.compactMap { download in download.record.map(\.transaction).flatMap { state.downloads[$0] === download ? $0 : nil } }
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
}

extension SKPaymentQueue.State {
    /// The transaction of a record as it is now, with the download of what the store hosts for it.
    mutating func update(_ record: PaymentRecord, _ service: PaymentService?) -> SKPaymentTransaction {
        let transaction = contents.update(record, payment: payments.removeValue(forKey: record.id))
        if let id = record.recorded?.id, let download = service?.download(of: id) {
            let shown = downloads[id] ?? SKDownload(download, of: transaction)
            downloads[id] = shown
            transaction.set(downloads: [shown])
        }
        return transaction
    }
}
