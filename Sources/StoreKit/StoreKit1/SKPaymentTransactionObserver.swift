public import Foundation
public import OpenStoreKit

/// An observer of the payment queue's transactions.
///
/// The methods are called on the device's callback queue, in order, and may block. All methods but the first are optional.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Transactions were added or changed.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    /// Transactions were finished and have left the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    /// The restore failed before every transaction was delivered, or the user canceled.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// The restore completed, and every restored transaction was delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    /// The state or the progress of downloads has changed; progress is announced for each hundredth of the content.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    /// The user began a promoted in-app purchase outside the app.
    ///
    /// - Returns: Whether the queue adds the payment now. If false, the app may keep the payment and add it later.
    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    /// The storefront of the account has changed.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
    /// Purchases of these products were refunded, or their Family Sharing access was revoked; read the receipt again.
    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

extension SKPaymentTransactionObserver {
    /// Does nothing; handling removals is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
    /// Does nothing; handling failed restores is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}
    /// Does nothing; handling completed restores is optional.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    /// Does nothing; handling downloads is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    /// Returns false and keeps the promoted purchase for an observer that implements the method.
    public func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        queue.markPromotionsUnimplemented()
        return false
    }
    /// Does nothing; handling storefront changes is optional.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
    /// Does nothing; handling revocations is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {}
}

extension SKPaymentTransactionObserver {
    /// The methods of this name, for calls with `?`; never nil.
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
    /// Notifies the observer that transactions have left the queue.
    public func callAsFunction(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        owner.paymentQueue(queue, removedTransactions: transactions)
    }

    /// Notifies the observer of a failed restore.
    public func callAsFunction(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        owner.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    }

    /// Notifies the observer of changed downloads.
    public func callAsFunction(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        owner.paymentQueue(queue, updatedDownloads: downloads)
    }

    /// Asks the observer whether the queue adds the payment of a promoted purchase now.
    public func callAsFunction(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        owner.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    }

    /// Notifies the observer of revoked products.
    public func callAsFunction(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {
        owner.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
    }
}
