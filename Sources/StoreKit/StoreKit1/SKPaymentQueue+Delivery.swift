import Foundation
package import OpenStoreKit
import PurchaseModel
import Synchronization

/// The delivery of payment queue changes from the device to the app's observers and delegate.
extension SKPaymentQueue: AppPaymentQueue {
    package var isObserved: Bool { !transactionObservers.isEmpty }

    package func attach(to service: PaymentService) {
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

    /// Delivers a change that this queue announces instead of the device, on the callback queue.
    func submit(_ announcement: Announcement) {
        callbacks.submit { [weak self] in self?.receive(announcement) }
    }

    /// Delivers every transaction in the queue to an observer that was just added.
    func deliverTransactions(to listener: Listener<any SKPaymentTransactionObserver>) {
        let waiting = transactions
        if !waiting.isEmpty { call(listener) { $0.paymentQueue(self, updatedTransactions: waiting) } }
    }

    // Observers are called while no lock is held, because they may call the queue.
    package func receive(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            let updated = state.withLock { state in records.map { state.update($0, state.service) } }
            guard !updated.isEmpty else { return }
            notifyObservers { $0.paymentQueue(self, updatedTransactions: updated) }
        case .removed(let ids, _):
            let removed = state.withLock { state in
                let removed = state.contents.remove(ids)
                for transaction in removed {
                    for id in transaction.downloads.compactMap(\.record?.transaction) { state.downloads[id] = nil }
                }
                return removed
            }
            guard !removed.isEmpty else { return }
            notifyObservers { $0.paymentQueue(self, removedTransactions: removed) }
        case .restoreFinished:
            notifyObservers { $0.paymentQueueRestoreCompletedTransactionsFinished(self) }
        case .restoreFailed(let failure):
            notifyObservers { $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: failure.error) }
        case .revoked(let products):
            notifyObservers { $0.paymentQueue(self, didRevokeEntitlementsForProductIdentifiers: products.map(\.rawValue)) }
        case .storefrontChanged:
            notifyObservers { $0.paymentQueueDidChangeStorefront(self) }
        case .promoted(let promotion):
            describe(promotion)
        case .message(let message):
            showPriceConsent(for: message)
        }
    }

    package func receive(_ download: DownloadStatus, notifiesObservers: Bool) {
        guard let shown = state.withLock({ $0.downloads[download.record.transaction] }) else { return }
        // The download changes here, just before its observers are called, so that they do not see the state of a later change.
        shown.update(download.record, remaining: download.remaining ?? SKDownloadTimeRemainingUnknown)
        if notifiesObservers { notifyObservers { $0.paymentQueue(self, updatedDownloads: [shown]) } }
    }

    /// Returns the transaction identifiers of the downloads that belong to this queue, and skips other downloads.
    func transactionIDs(of downloads: [SKDownload]) -> [TransactionID] {
        state.withLock { state in
            downloads.compactMap { download in download.record.map(\.transaction).flatMap { state.downloads[$0] === download ? $0 : nil } }
        }
    }

    func notifyObservers(_ body: (any SKPaymentTransactionObserver) -> Void) {
        for listener in state.withLock({ $0.observers }) {
            call(listener, body)
        }
    }

    /// Calls the delegate, unless the app has replaced it before the call begins; returns nil without a call.
    func callDelegate<Outcome>(_ body: (any SKPaymentQueueDelegate) -> Outcome) -> Outcome? {
        guard let delegate = state.withLock({ $0.delegate }) else { return nil }
        return delegate.call(if: { state.withLock { $0.delegate?.isSame(as: delegate) ?? false } }, body)
    }

    /// Calls an observer, unless the app removed it after the change was announced, for example in a call to another observer.
    private func call(
        _ listener: Listener<any SKPaymentTransactionObserver>,
        _ body: (any SKPaymentTransactionObserver) -> Void
    ) {
        _ = listener.call(if: { state.withLock { $0.observers.contains { $0.isSame(as: listener) } } }, body)
    }
}

extension SKPaymentQueue.State {
    /// Updates or creates the transaction of a payment record, with the download of the product's hosted content.
    mutating func update(_ record: PaymentQueueRecord, _ service: PaymentService?) -> SKPaymentTransaction {
        let transaction = contents.update(record, payment: payments.removeValue(forKey: record.id))
        if let id = record.recorded?.id, let download = service?.downloads.record(of: id) {
            let shown = downloads[id] ?? SKDownload(download, of: transaction)
            downloads[id] = shown
            transaction.set(downloads: [shown])
        }
        return transaction
    }
}
