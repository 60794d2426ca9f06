public import Foundation
public import StoreKit
import Synchronization

/// An observer that writes down what it hears, in order.
public final class Witness: NSObject, SKPaymentTransactionObserver, Sendable {
    /// One thing that was heard.
    public enum Note: Hashable, Sendable, CustomStringConvertible {
        /// A transaction was updated: its state and product.
        case updated(SKPaymentTransactionState, String)
        /// A transaction has left the queue: its product.
        case removed(String)
        /// A restore has succeeded.
        case restoreFinished
        /// A restore has failed: domain and code.
        case restoreFailed(String, Int)

        /// A short text.
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
        var notes: [Note] = []
        var identifiers: [String] = []
        var originals: [String] = []
        var errors: [NSError] = []
    }

    private let state = Mutex(State())
    private let finishes: Bool
    private let hears: @Sendable (Note) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - finishes: Whether it finishes what is purchased, restored or failed.
    ///   - hears: Is called with each note, on the callback queue.
    public init(finishes: Bool = false, hears: @escaping @Sendable (Note) -> Void = { _ in }) {
        self.finishes = finishes
        self.hears = hears
    }

    /// What was heard.
    public var notes: [Note] { state.withLock { $0.notes } }
    /// The identifiers of purchased and restored transactions, each as often as it was heard.
    public var identifiers: [String] { state.withLock { $0.identifiers } }
    /// The originals of restored transactions.
    public var originals: [String] { state.withLock { $0.originals } }
    /// The errors of failed transactions.
    public var errors: [NSError] { state.withLock { $0.errors } }
    /// How restores have ended.
    public var restoreEndings: [Note] {
        notes.filter { note in
            switch note {
            case .restoreFinished, .restoreFailed: true
            case .updated, .removed: false
            }
        }
    }

    private func note(_ note: Note) {
        state.withLock { $0.notes.append(note) }
        hears(note)
    }

    /// Hears of transactions.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            state.withLock { state in
                if let identifier = transaction.transactionIdentifier { state.identifiers.append(identifier) }
                if let original = transaction.original?.transactionIdentifier { state.originals.append(original) }
                if let error = transaction.error { state.errors.append(error as NSError) }
            }
            note(.updated(transaction.transactionState, transaction.payment.productIdentifier))
            if finishes { queue.finishTransaction(transaction) }
        }
    }

    /// Hears of removals.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { note(.removed(transaction.payment.productIdentifier)) }
    }

    /// Hears of the end of a restore.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        note(.restoreFinished)
    }

    /// Hears of the failure of a restore.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        let error = error as NSError
        note(.restoreFailed(error.domain, error.code))
    }
}
