import Foundation
import StoreKit

/// A typical payment queue observer with callbacks, for StoreKit 1.
final class StoreObserver: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    var onProducts: (([SKProduct]) -> Void)?
    var onPurchase: ((SKPaymentTransaction) -> Void)?
    var onFailure: ((Error?) -> Void)?
    var onDeferral: ((SKPaymentTransaction) -> Void)?
    var onRestore: (([String]) -> Void)?
    private var request: SKProductsRequest?
    private var restored: [String] = []

    func load(_ ids: Set<String>) {
        request = SKProductsRequest(productIdentifiers: ids)
        request?.delegate = self
        request?.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        onProducts?(response.products)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing:
                break
            case .purchased:
                queue.finishTransaction(transaction)
                onPurchase?(transaction)
            case .restored:
                queue.finishTransaction(transaction)
                restored.append(transaction.payment.productIdentifier)
            case .failed:
                queue.finishTransaction(transaction)
                onFailure?(transaction.error)
            case .deferred:
                onDeferral?(transaction)
            @unknown default:
                break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        onRestore?(restored)
    }
}
