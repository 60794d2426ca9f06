import Foundation
import StoreKit
import Synchronization

/// A second observer of the payment queue, which records StoreKit's own calls.
final class TransactionWitness: NSObject, SKPaymentTransactionObserver, Sendable {
    private struct Notes {
        var lastError: String?
        var restored: [(id: String, original: String)] = []
        var updates = 0
    }

    private let notes = Mutex(Notes())

    /// Domain and code of the most recent transaction error.
    var lastError: String? { notes.withLock { $0.lastError } }
    /// Restored transactions with their original transactions.
    var restored: [(id: String, original: String)] { notes.withLock { $0.restored } }
    /// The number of updates.
    var updates: Int { notes.withLock { $0.updates } }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let error = transaction.error.map { $0 as NSError }
            notes.withLock { notes in
                notes.updates += 1
                if let error { notes.lastError = "\(error.domain) \(error.code)" }
                if transaction.transactionState == .restored {
                    notes.restored.append((transaction.transactionIdentifier ?? "", transaction.original?.transactionIdentifier ?? ""))
                }
            }
        }
    }
}
