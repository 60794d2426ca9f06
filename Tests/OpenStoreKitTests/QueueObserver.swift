import Foundation
import StoreKit
import Synchronization

/// An observer that hears of everything, and answers as a test wants.
final class QueueObserver: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, Sendable {
    private struct State {
        var heard: [String] = []
        var progress: [Float] = []
        var waiters: [(text: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let wantsPromotion: Bool
    private let showsConsent: Bool
    private let continues: Bool
    private let hears: @Sendable (SKPaymentQueue, String) -> Void

    init(
        wantsPromotion: Bool = false, showsConsent: Bool = true, continues: Bool = true,
        hears: @escaping @Sendable (SKPaymentQueue, String) -> Void = { _, _ in }
    ) {
        self.wantsPromotion = wantsPromotion
        self.showsConsent = showsConsent
        self.continues = continues
        self.hears = hears
    }

    /// What was heard, in order.
    var heard: [String] { state.withLock { $0.heard } }
    /// How much of downloads was there, each time that was told.
    var progress: [Float] { state.withLock { $0.progress } }

    /// Waits until something was heard.
    func until(_ text: String) async {
        await withCheckedContinuation { continuation in
            let isHeard = state.withLock { state in
                if !state.heard.contains(text) { state.waiters.append((text, continuation)) }
                return state.heard.contains(text)
            }
            if isHeard { continuation.resume() }
        }
    }

    private func hear(_ text: String, in queue: SKPaymentQueue) {
        let waiters = state.withLock { state in
            state.heard.append(text)
            defer { state.waiters.removeAll { $0.text == text } }
            return state.waiters.filter { $0.text == text }
        }
        hears(queue, text)
        for waiter in waiters { waiter.continuation.resume() }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { hear(transaction.transactionState.name, in: queue) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        hear("removed \(transactions.count)", in: queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        hear("restore failed \((error as NSError).code)", in: queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            let isNew = state.withLock { state in
                defer { state.progress.append(download.progress) }
                return download.state != .active || state.heard.last != "active"
            }
            if isNew { hear(download.state.name, in: queue) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        hear("promoted \(payment.productIdentifier) \(product.localizedTitle)", in: queue)
        return wantsPromotion
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { hear("storefront", in: queue) }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {
        hear("revoked \(productIdentifiers)", in: queue)
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool {
        hear("continue in \(newStorefront.countryCode)", in: paymentQueue)
        return continues
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        hear("consent", in: paymentQueue)
        return showsConsent
    }
}

/// Enumerations of C print their numbers; these are the names of the cases.
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
