import Foundation
import StoreKit
import Synchronization

/// An observer of the payment queue, in addition to the app's observer, that records the transactions that StoreKit reports.
final class RecordingObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    private struct Record {
        var lastError: String?
        var restored: [(id: String, original: String)] = []
        var updates = 0
    }

    private let record = Mutex(Record())

    /// The domain and the code of the most recent transaction error, such as `SKErrorDomain 2`.
    var lastError: String? { record.withLock { $0.lastError } }
    /// The identifiers of the restored transactions and of their original transactions.
    var restored: [(id: String, original: String)] { record.withLock { $0.restored } }
    /// The number of transaction updates that StoreKit reported.
    var updates: Int { record.withLock { $0.updates } }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let error = transaction.error.map { $0 as NSError }
            record.withLock { record in
                record.updates += 1
                if let error { record.lastError = "\(error.domain) \(error.code)" }
                if transaction.transactionState == .restored {
                    record.restored.append((transaction.transactionIdentifier ?? "", transaction.original?.transactionIdentifier ?? ""))
                }
            }
        }
    }
}
