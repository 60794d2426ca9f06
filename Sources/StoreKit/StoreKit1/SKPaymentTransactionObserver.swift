public import Foundation
public import OpenStoreKit

/// An observer of the payment queue's transactions.
///
/// The queue calls the methods one after the other on a serial queue of the `Device`, which the methods may block. All methods are
/// optional except ``paymentQueue(_:updatedTransactions:)``.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Tells the observer that transactions were added to the queue or have changed.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    /// Tells the observer that the app finished transactions, which have left the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    /// Tells the observer that a restore failed before every transaction was delivered, or that the user canceled the restore.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// Tells the observer that a restore completed, and that every restored transaction was delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    /// Tells the observer that the state or the progress of downloads has changed.
    ///
    /// Progress is announced at most once for each hundredth of the content.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    /// Asks the observer whether the queue adds the payment of a promoted in-app purchase, which the user began outside the app.
    ///
    /// - Returns: Whether the queue adds the payment now. If false, the app may keep the payment and add it later.
    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    /// Tells the observer that the storefront of the account has changed.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
    /// Tells the observer that purchases of products were refunded, or that access to them through Family Sharing was revoked.
    ///
    /// Read the receipt again to learn which purchases are still valid.
    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

extension SKPaymentTransactionObserver {
    /// Does nothing, because observing removed transactions is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
    /// Does nothing, because observing failed restores is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}
    /// Does nothing, because observing completed restores is optional.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    /// Does nothing, because observing downloads is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    /// Returns false, so that the queue keeps the promoted in-app purchase for an observer that implements this method.
    public func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        queue.markPromotionsUnimplemented()
        return false
    }
    /// Does nothing, because observing storefront changes is optional.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
    /// Does nothing, because observing revocations is optional.
    public func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {}
}

extension SKPaymentTransactionObserver {
    /// Supports calls such as `observer.paymentQueue?(queue, removedTransactions: transactions)`; never nil.
    @_disfavoredOverload
    public var paymentQueue: OptionalMethod<any SKPaymentTransactionObserver>? { OptionalMethod(owner: self) }
    /// Supports calls such as `observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)`; never nil.
    @_disfavoredOverload
    public var paymentQueueRestoreCompletedTransactionsFinished: ((SKPaymentQueue) -> Void)? {
        { self.paymentQueueRestoreCompletedTransactionsFinished($0) }
    }
    /// Supports calls such as `observer.paymentQueueDidChangeStorefront?(queue)`; never nil.
    @_disfavoredOverload
    public var paymentQueueDidChangeStorefront: ((SKPaymentQueue) -> Void)? { { self.paymentQueueDidChangeStorefront($0) } }
}

extension OptionalMethod where Owner == any SKPaymentTransactionObserver {
    /// Notifies the observer that the app finished transactions, which have left the queue.
    public func callAsFunction(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        owner.paymentQueue(queue, removedTransactions: transactions)
    }

    /// Notifies the observer of a failed restore.
    public func callAsFunction(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        owner.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    }

    /// Notifies the observer that the state or the progress of downloads has changed.
    public func callAsFunction(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        owner.paymentQueue(queue, updatedDownloads: downloads)
    }

    /// Asks the observer whether the queue adds the payment of a promoted in-app purchase now.
    public func callAsFunction(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        owner.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    }

    /// Notifies the observer that purchases of products were refunded or revoked.
    public func callAsFunction(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {
        owner.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
    }
}
