import Foundation
import StoreKit

/// A shop that sells coins with a payment queue observer (the original StoreKit API).
///
/// The shop credits a transaction before it finishes the transaction. The ledger has one entry for each transaction, so a
/// transaction that the queue delivers again after a crash is not credited twice.
final class CoinShop: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    private let ledger: CoinLedger
    private let productID: String
    private var request: SKProductsRequest?

    init(ledger: CoinLedger, buying productID: String) {
        self.ledger = ledger
        self.productID = productID
    }

    func open() {
        SKPaymentQueue.default().add(self)
        guard SKPaymentQueue.canMakePayments() else { return quit("Purchases are disabled on this device.") }
        let request = SKProductsRequest(productIdentifiers: [productID])
        request.delegate = self
        request.start()
        self.request = request
    }

    // MARK: SKProductsRequestDelegate

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        guard let product = response.products.first else { return quit("No product \"\(productID)\" in this store.") }
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        print("\(product.localizedTitle) for \(formatter.string(from: product.price) ?? "\(product.price)")")
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        quit("The products request failed: \(error.localizedDescription)")
    }

    // MARK: SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing:
                break
            case .deferred:
                quit("The purchase is pending approval.")
            case .purchased, .restored:
                ledger.credit(transaction)
                queue.finishTransaction(transaction)
            case .failed:
                if let error = transaction.error as? SKError, error.code == .paymentCancelled {
                    print("Cancelled.")
                } else {
                    print("Failed: \(transaction.error?.localizedDescription ?? "unknown error")")
                }
                queue.finishTransaction(transaction)
            @unknown default:
                break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        if queue.transactions.isEmpty { quit("Balance: \(ledger.balance) coins.") }
    }

    private func quit(_ message: String) {
        print(message)
        exit(0)
    }
}
