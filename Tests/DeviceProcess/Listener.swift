import Foundation
import StoreKit

/// An observer that prints each callback first, and then finishes the transaction if configured.
final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
    private let finishes: Bool
    private let wantsPromotions: Bool

    init(finishes: Bool, wantsPromotions: Bool = false) {
        self.finishes = finishes
        self.wantsPromotions = wantsPromotions
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        FileHandle.standardOutput.write(Data("received promotion\n".utf8))
        return wantsPromotions
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                let original = transaction.original?.transactionIdentifier ?? "-"
                FileHandle.standardOutput.write(Data("delivered \(transaction.transactionIdentifier ?? "-") \(original)\n".utf8))
            case .purchasing, .deferred:
                continue
            case .failed:
                FileHandle.standardOutput.write(Data("failed\n".utf8))
            @unknown default:
                continue
            }
            if finishes { queue.finishTransaction(transaction) }
        }
    }
}
