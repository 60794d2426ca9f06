import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// StoreKit 1's queue, payments and transactions.
extension StoreKitUses {
    mutating func addQueue() {
        of("SKPaymentQueue", SKPaymentQueue.self)
        has("init()", { () -> SKPaymentQueue in SKPaymentQueue() })
        has("delegate", \SKPaymentQueue.delegate as ReferenceWritableKeyPath<SKPaymentQueue, (any SKPaymentQueueDelegate)?>)
        has("transactionObservers", { (it: SKPaymentQueue) -> [any SKPaymentTransactionObserver] in it.transactionObservers })
        has("transactions", { (it: SKPaymentQueue) -> [SKPaymentTransaction] in it.transactions })
        has("storefront", { (it: SKPaymentQueue) -> SKStorefront? in it.storefront })
        has("default()", { () -> SKPaymentQueue in SKPaymentQueue.default() })
        has("canMakePayments()", { () -> Bool in SKPaymentQueue.canMakePayments() })
        has(
            "add(_:)",
            [
                { (it: SKPaymentQueue, a: any SKPaymentTransactionObserver) in it.add(a) },
                { (it: SKPaymentQueue, a: SKPayment) in it.add(a) },
            ] as [Any])
        has("remove(_:)", { (it: SKPaymentQueue, a: any SKPaymentTransactionObserver) in it.remove(a) })
        has("finishTransaction(_:)", { (it: SKPaymentQueue, a: SKPaymentTransaction) in it.finishTransaction(a) })
        has("restoreCompletedTransactions()", { (it: SKPaymentQueue) in it.restoreCompletedTransactions() })
        has(
            "restoreCompletedTransactions(withApplicationUsername:)",
            { (it: SKPaymentQueue, a: String?) in it.restoreCompletedTransactions(withApplicationUsername: a) })
        has("start(_:)", { (it: SKPaymentQueue, a: [SKDownload]) in it.start(a) })
        has("pause(_:)", { (it: SKPaymentQueue, a: [SKDownload]) in it.pause(a) })
        has("resume(_:)", { (it: SKPaymentQueue, a: [SKDownload]) in it.resume(a) })
        has("cancel(_:)", { (it: SKPaymentQueue, a: [SKDownload]) in it.cancel(a) })
        has("presentCodeRedemptionSheet()", { (it: SKPaymentQueue) in it.presentCodeRedemptionSheet() })
        has("showPriceConsentIfNeeded()", { (it: SKPaymentQueue) in it.showPriceConsentIfNeeded() })
        of("SKPaymentTransactionObserver", (any SKPaymentTransactionObserver).self)
        has(
            "paymentQueue(_:updatedTransactions:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue, b: [SKPaymentTransaction]) in
                it.paymentQueue(a, updatedTransactions: b)
            })
        has(
            "paymentQueue(_:removedTransactions:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue, b: [SKPaymentTransaction]) in
                it.paymentQueue(a, removedTransactions: b)
            })
        has(
            "paymentQueue(_:restoreCompletedTransactionsFailedWithError:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue, b: any Error) in
                it.paymentQueue(a, restoreCompletedTransactionsFailedWithError: b)
            })
        has(
            "paymentQueueRestoreCompletedTransactionsFinished(_:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue) in it.paymentQueueRestoreCompletedTransactionsFinished(a) })
        has(
            "paymentQueue(_:updatedDownloads:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue, b: [SKDownload]) in it.paymentQueue(a, updatedDownloads: b) })
        has(
            "paymentQueue(_:shouldAddStorePayment:for:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue, b: SKPayment, c: SKProduct) -> Bool in
                it.paymentQueue(a, shouldAddStorePayment: b, for: c)
            })
        has(
            "paymentQueueDidChangeStorefront(_:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue) in it.paymentQueueDidChangeStorefront(a) })
        has(
            "paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)",
            { (it: any SKPaymentTransactionObserver, a: SKPaymentQueue, b: [String]) in
                it.paymentQueue(a, didRevokeEntitlementsForProductIdentifiers: b)
            })
        of("SKPaymentQueueDelegate", (any SKPaymentQueueDelegate).self)
        has(
            "paymentQueue(_:shouldContinue:in:)",
            { (it: any SKPaymentQueueDelegate, a: SKPaymentQueue, b: SKPaymentTransaction, c: SKStorefront) -> Bool in
                it.paymentQueue(a, shouldContinue: b, in: c)
            })
        has(
            "paymentQueueShouldShowPriceConsent(_:)",
            { (it: any SKPaymentQueueDelegate, a: SKPaymentQueue) -> Bool in it.paymentQueueShouldShowPriceConsent(a) })
    }

    mutating func addPayments() {
        of("SKPayment", SKPayment.self as any (NSCopying & NSMutableCopying).Type)
        has("init()", { () -> SKPayment in SKPayment() })
        has("init(product:)", { (a: SKProduct) -> SKPayment in SKPayment(product: a) })
        has("productIdentifier", { (it: SKPayment) -> String in it.productIdentifier })
        has("quantity", { (it: SKPayment) -> Int in it.quantity })
        has("applicationUsername", { (it: SKPayment) -> String? in it.applicationUsername })
        has("requestData", { (it: SKPayment) -> Data? in it.requestData })
        has("simulatesAskToBuyInSandbox", { (it: SKPayment) -> Bool in it.simulatesAskToBuyInSandbox })
        has("paymentDiscount", { (it: SKPayment) -> SKPaymentDiscount? in it.paymentDiscount })
        has("hash", { (it: SKPayment) -> Int in it.hash })
        has("copy(with:)", { (it: SKPayment, a: NSZone?) -> Any in it.copy(with: a) })
        has("mutableCopy(with:)", { (it: SKPayment, a: NSZone?) -> Any in it.mutableCopy(with: a) })
        has("isEqual(_:)", { (it: SKPayment, a: Any?) -> Bool in it.isEqual(a) })
        has("setValue(_:forKey:)", { (it: SKPayment, a: Any?, b: String) in it.setValue(a, forKey: b) })
        of("SKMutablePayment", SKMutablePayment.self)
        has("productIdentifier", \SKMutablePayment.productIdentifier as ReferenceWritableKeyPath<SKMutablePayment, String>)
        has("quantity", \SKMutablePayment.quantity as ReferenceWritableKeyPath<SKMutablePayment, Int>)
        has("applicationUsername", \SKMutablePayment.applicationUsername as ReferenceWritableKeyPath<SKMutablePayment, String?>)
        has("requestData", \SKMutablePayment.requestData as ReferenceWritableKeyPath<SKMutablePayment, Data?>)
        has("simulatesAskToBuyInSandbox", \SKMutablePayment.simulatesAskToBuyInSandbox as ReferenceWritableKeyPath<SKMutablePayment, Bool>)
        has("paymentDiscount", \SKMutablePayment.paymentDiscount as ReferenceWritableKeyPath<SKMutablePayment, SKPaymentDiscount?>)
        of("SKPaymentDiscount", SKPaymentDiscount.self)
        has(
            "init(identifier:keyIdentifier:nonce:signature:timestamp:)",
            { (a: String, b: String, c: UUID, d: String, e: NSNumber) -> SKPaymentDiscount in
                SKPaymentDiscount(identifier: a, keyIdentifier: b, nonce: c, signature: d, timestamp: e)
            })
        has("init()", { () -> SKPaymentDiscount in SKPaymentDiscount() })
        has("setValue(_:forKey:)", { (it: SKPaymentDiscount, a: Any?, b: String) in it.setValue(a, forKey: b) })
        has("identifier", { (it: SKPaymentDiscount) -> String in it.identifier })
        has("keyIdentifier", { (it: SKPaymentDiscount) -> String in it.keyIdentifier })
        has("nonce", { (it: SKPaymentDiscount) -> UUID in it.nonce })
        has("signature", { (it: SKPaymentDiscount) -> String in it.signature })
        has("timestamp", { (it: SKPaymentDiscount) -> NSNumber in it.timestamp })
        has("hash", { (it: SKPaymentDiscount) -> Int in it.hash })
        has("isEqual(_:)", { (it: SKPaymentDiscount, a: Any?) -> Bool in it.isEqual(a) })
    }

    mutating func addPaymentTransactions() {
        of("SKPaymentTransaction", SKPaymentTransaction.self)
        has("init()", { () -> SKPaymentTransaction in SKPaymentTransaction() })
        has("payment", { (it: SKPaymentTransaction) -> SKPayment in it.payment })
        has("transactionState", { (it: SKPaymentTransaction) -> SKPaymentTransactionState in it.transactionState })
        has("transactionIdentifier", { (it: SKPaymentTransaction) -> String? in it.transactionIdentifier })
        has("transactionDate", { (it: SKPaymentTransaction) -> Date? in it.transactionDate })
        has("error", { (it: SKPaymentTransaction) -> (any Error)? in it.error })
        has("original", { (it: SKPaymentTransaction) -> SKPaymentTransaction? in it.original })
        has("downloads", { (it: SKPaymentTransaction) -> [SKDownload] in it.downloads })
        has("setValue(_:forKey:)", { (it: SKPaymentTransaction, a: Any?, b: String) in it.setValue(a, forKey: b) })
        of("SKPaymentTransactionState", SKPaymentTransactionState.self)
        has("purchasing", SKPaymentTransactionState.purchasing)
        has("purchased", SKPaymentTransactionState.purchased)
        has("failed", SKPaymentTransactionState.failed)
        has("restored", SKPaymentTransactionState.restored)
        has("deferred", SKPaymentTransactionState.deferred)
    }
}
