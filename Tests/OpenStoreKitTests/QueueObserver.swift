import Foundation
import StoreKit
import Synchronization

/// An observer and delegate that records all callbacks and gives configured answers.
final class QueueObserver: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, Sendable {
    private struct State {
        var callbacks: [String] = []
        var progress: [Float] = []
        var waiters: [(text: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let wantsPromotion: Bool
    private let showsConsent: Bool
    private let continues: Bool
    private let onEvent: @Sendable (SKPaymentQueue, String) -> Void

    init(
        wantsPromotion: Bool = false, showsConsent: Bool = true, continues: Bool = true,
        onEvent: @escaping @Sendable (SKPaymentQueue, String) -> Void = { _, _ in }
    ) {
        self.wantsPromotion = wantsPromotion
        self.showsConsent = showsConsent
        self.continues = continues
        self.onEvent = onEvent
    }

    /// The callbacks, in order.
    var callbacks: [String] { state.withLock { $0.callbacks } }
    /// The progress of downloads at each update, 0 to 1.
    var progress: [Float] { state.withLock { $0.progress } }

    /// Waits until a callback was recorded.
    func waitForCallback(_ text: String) async {
        await withCheckedContinuation { continuation in
            let isRecorded = state.withLock { state in
                if !state.callbacks.contains(text) { state.waiters.append((text, continuation)) }
                return state.callbacks.contains(text)
            }
            if isRecorded { continuation.resume() }
        }
    }

    private func record(_ text: String, in queue: SKPaymentQueue) {
        let waiters = state.withLock { state in
            state.callbacks.append(text)
            defer { state.waiters.removeAll { $0.text == text } }
            return state.waiters.filter { $0.text == text }
        }
        onEvent(queue, text)
        for waiter in waiters { waiter.continuation.resume() }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { record(transaction.transactionState.name, in: queue) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        record("removed \(transactions.count)", in: queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        record("restore failed \((error as NSError).code)", in: queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            let isNew = state.withLock { state in
                defer { state.progress.append(download.progress) }
                return download.state != .active || state.callbacks.last != "active"
            }
            if isNew { record(download.state.name, in: queue) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        record("promoted \(payment.productIdentifier) \(product.localizedTitle)", in: queue)
        return wantsPromotion
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { record("storefront", in: queue) }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {
        record("revoked \(productIdentifiers)", in: queue)
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool {
        record("continue in \(newStorefront.countryCode)", in: paymentQueue)
        return continues
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        record("consent", in: paymentQueue)
        return showsConsent
    }
}

/// The names of the cases, which imported C enumerations do not print.
extension SKPaymentTransactionState {
    fileprivate var name: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "\(rawValue)"
        }
    }
}

extension SKDownloadState {
    fileprivate var name: String {
        switch self {
        case .waiting: "waiting"
        case .active: "active"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        @unknown default: "\(rawValue)"
        }
    }
}
