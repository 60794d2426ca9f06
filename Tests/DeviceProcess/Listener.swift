import Foundation
import OpenStoreKit

/// An observer that says what it hears, before anything else, and finishes it if it is to.
final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
    private let finishes: Bool

    init(finishes: Bool) {
        self.finishes = finishes
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                let original = transaction.original?.transactionIdentifier ?? "-"
                FileHandle.standardOutput.write(Data("heard \(transaction.transactionIdentifier ?? "-") \(original)\n".utf8))
            case .purchasing, .deferred:
                continue
            case .failed:
                FileHandle.standardOutput.write(Data("failed\n".utf8))
            }
            if finishes { queue.finishTransaction(transaction) }
        }
    }
}
