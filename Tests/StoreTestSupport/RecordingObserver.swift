public import Foundation
public import StoreKit
import Synchronization

/// A payment queue observer that records its callbacks, in order.
public final class RecordingObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    /// A recorded callback.
    public enum Event: Hashable, Sendable, CustomStringConvertible {
        /// A transaction was updated: its state and product.
        case updated(SKPaymentTransactionState, String)
        /// A transaction was removed from the queue: its product.
        case removed(String)
        /// A restore finished.
        case restoreFinished
        /// A restore failed: the error's domain and code.
        case restoreFailed(String, Int)

        /// A short text for test results.
        public var description: String {
            switch self {
            case .updated(let state, let product): "\(state) \(product)"
            case .removed(let product): "removed \(product)"
            case .restoreFinished: "restore finished"
            case .restoreFailed(let domain, let code): "restore failed \(domain) \(code)"
            }
        }
    }

    private struct State {
        var events: [Event] = []
        var identifiers: [String] = []
        var originals: [String] = []
        var errors: [NSError] = []
    }

    private let state = Mutex(State())
    private let finishes: Bool
    private let onEvent: @Sendable (Event) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - finishes: Whether the observer finishes each updated transaction.
    ///   - onEvent: A function that the observer calls with each event, on the callback queue.
    public init(finishes: Bool = false, onEvent: @escaping @Sendable (Event) -> Void = { _ in }) {
        self.finishes = finishes
        self.onEvent = onEvent
    }

    /// The recorded events.
    public var events: [Event] { state.withLock { $0.events } }
    /// The identifiers of purchased and restored transactions, once per update.
    public var identifiers: [String] { state.withLock { $0.identifiers } }
    /// The identifiers of the original transactions of restored transactions.
    public var originals: [String] { state.withLock { $0.originals } }
    /// The errors of failed transactions.
    public var errors: [NSError] { state.withLock { $0.errors } }
    /// The events of finished and failed restores.
    public var restoreResults: [Event] {
        events.filter { event in
            switch event {
            case .restoreFinished, .restoreFailed: true
            case .updated, .removed: false
            }
        }
    }

    private func record(_ event: Event) {
        state.withLock { $0.events.append(event) }
        onEvent(event)
    }

    /// Records updated transactions.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            state.withLock { state in
                if let identifier = transaction.transactionIdentifier { state.identifiers.append(identifier) }
                if let original = transaction.original?.transactionIdentifier { state.originals.append(original) }
                if let error = transaction.error { state.errors.append(error as NSError) }
            }
            record(.updated(transaction.transactionState, transaction.payment.productIdentifier))
            if finishes { queue.finishTransaction(transaction) }
        }
    }

    /// Records removed transactions.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { record(.removed(transaction.payment.productIdentifier)) }
    }

    /// Records a finished restore.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record(.restoreFinished)
    }

    /// Records a failed restore.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        let error = error as NSError
        record(.restoreFailed(error.domain, error.code))
    }
}
