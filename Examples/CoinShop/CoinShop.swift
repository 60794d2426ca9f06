import Foundation
import StoreKit

/// Sells coins, as an app with an observer does since 2009.
///
/// The balance grows before the transaction is finished, and by one entry for each transaction: one that comes again after a crash
/// finds its entry and adds nothing.
final class CoinShop: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    private let ledger: CoinLedger
    private let wish: String
    private var request: SKProductsRequest?

    init(ledger: CoinLedger, buying wish: String) {
        self.ledger = ledger
        self.wish = wish
    }

    func open() {
        SKPaymentQueue.default().add(self)
        guard SKPaymentQueue.canMakePayments() else { return leave("Purchases are switched off on this device.") }
        let request = SKProductsRequest(productIdentifiers: [wish])
        request.delegate = self
        request.start()
        self.request = request
    }

    // MARK: SKProductsRequestDelegate

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        guard let product = response.products.first else { return leave("The store does not sell \(wish).") }
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        print("\(product.localizedTitle) for \(formatter.string(from: product.price) ?? "\(product.price)")")
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        leave("The store can't be asked: \(error.localizedDescription)")
    }

    // MARK: SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing:
                break
            case .deferred:
                leave("Somebody has to allow it first.")
            case .purchased, .restored:
                ledger.enter(transaction)
                queue.finishTransaction(transaction)
            case .failed:
                if let error = transaction.error as? SKError, error.code == .paymentCancelled {
                    print("Cancelled.")
                } else {
                    print("Failed: \(transaction.error?.localizedDescription ?? "nobody knows why")")
                }
                queue.finishTransaction(transaction)
            @unknown default:
                break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        if queue.transactions.isEmpty { leave("Balance: \(ledger.balance) coins.") }
    }

    private func leave(_ words: String) {
        print(words)
        exit(0)
    }
}
