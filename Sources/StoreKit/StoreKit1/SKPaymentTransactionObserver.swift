public import Foundation
public import OpenStoreKit

/// An observer of the payment queue's transactions.
///
/// Called on the device's callback queue, in order; may block without harm to the queue. All but the first are optional.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Transactions were added or changed.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    /// Transactions were finished and have left the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    /// The restore failed before every transaction was delivered, or the user canceled.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// The restore completed, and every restored transaction was delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    /// The state or the progress of hosted content has changed; of progress, a hundred times for all of it at most.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    /// The user chose a product outside the app.
    ///
    /// True has it bought now; with false the app keeps the payment and adds it to the queue later, or never.
    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    /// The account buys in another country's store from now on.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
    /// Purchases of these products were refunded, or are no longer shared; look into the receipt again.
    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

extension SKPaymentTransactionObserver {
    /// Does nothing: hearing of removals is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
    /// Does nothing: hearing of failed restores is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}
    /// Does nothing: hearing of restores is optional.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    /// Does nothing: hearing of hosted content is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    /// Says no, as an observer on Apple's platforms that lacks the method.
    public func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        queue.lacksPromotions()
        return false
    }
    /// Does nothing: hearing of another country's store is optional.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
    /// Does nothing; handling revocations is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {}
}

extension SKPaymentTransactionObserver {
    /// The methods of that name, for calls with `?`; never nil.
    @_disfavoredOverload
    public var paymentQueue: OptionalMethod<any SKPaymentTransactionObserver>? { OptionalMethod(owner: self) }
    /// The method, for calls with `?`; never nil.
    @_disfavoredOverload
    public var paymentQueueRestoreCompletedTransactionsFinished: ((SKPaymentQueue) -> Void)? {
        { self.paymentQueueRestoreCompletedTransactionsFinished($0) }
    }
    /// The method, for calls with `?`; never nil.
    @_disfavoredOverload
    public var paymentQueueDidChangeStorefront: ((SKPaymentQueue) -> Void)? { { self.paymentQueueDidChangeStorefront($0) } }
}

extension OptionalMethod where Owner == any SKPaymentTransactionObserver {
    /// Tells the observer that transactions have left the queue.
    public func callAsFunction(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        owner.paymentQueue(queue, removedTransactions: transactions)
    }

    /// Tells the observer that the restore ended before its end.
    public func callAsFunction(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        owner.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    }

    /// Tells the observer of hosted content.
    public func callAsFunction(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        owner.paymentQueue(queue, updatedDownloads: downloads)
    }

    /// Asks the observer whether a product that was chosen outside the app is bought now.
    public func callAsFunction(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        owner.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    }

    /// Notifies the observer of revoked products.
    public func callAsFunction(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {
        owner.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
    }
}
