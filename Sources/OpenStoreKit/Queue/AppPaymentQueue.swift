package import Foundation
package import PurchaseModel
package import StoreProtocol
import Synchronization

/// The app's side of a device's payment queue, which receives changes of payments and answers questions on the app's behalf.
///
/// StoreKit's `SKPaymentQueue` conforms to this protocol. The queue is attached to the device when the app first accesses it.
package protocol AppPaymentQueue: AnyObject, Sendable {
    /// The queue on which observers and delegates are called.
    var callbacks: CallbackQueue { get }

    /// Whether the app has added an observer to the queue.
    var isObserved: Bool { get }

    /// Attaches the queue to a device's service; an implementation calls ``PaymentService/attach(_:receiving:)``.
    func attach(to service: PaymentService)

    /// Receives a change of the payment queue; the device calls this method on the callback queue.
    func receive(_ announcement: Announcement)

    /// Receives the state of a download; the device calls this method on the callback queue.
    ///
    /// - Parameter notifiesObservers: Whether the queue notifies its observers.
    func receive(_ download: DownloadStatus, notifiesObservers: Bool)

    /// Removes every transaction at once, before the device announces the transactions of another account.
    func forgetTransactions()

    /// Returns whether the app lets a payment continue after the storefront has changed.
    func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool
}

/// A download and its estimated remaining time.
package struct DownloadStatus: Sendable {
    /// The download.
    package let record: DownloadRecord
    /// The estimated remaining time in seconds; nil when no estimate is available.
    package let remaining: TimeInterval?
}

/// The connection from a device's payment engine to the app.
///
/// The connection holds a weak reference to the app's payment service. After the service is deallocated, calls have no effect.
final class AppConnection: Sendable {
    private struct WeakReference {
        weak var service: PaymentService?
    }

    private let callbacks: CallbackQueue
    private let reference = Mutex(WeakReference())

    init(_ callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// Connects the payment engine to the app's payment service.
    func connect(to service: PaymentService) {
        reference.withLock { $0.service = service }
    }

    /// Delivers an announcement on the callback queue, after all earlier announcements, and returns at once.
    func announce(_ announcement: Announcement) {
        callbacks.submit { [self] in reference.withLock { $0.service }?.deliver(announcement) }
    }

    /// Delivers the state of a download on the callback queue, and returns at once.
    func announce(_ download: DownloadStatus) {
        callbacks.submit { [self] in reference.withLock { $0.service }?.queue?.receive(download, notifiesObservers: true) }
    }

    /// Returns whether the app lets a payment continue after the storefront has changed; true if the app has no payment queue.
    func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool {
        await reference.withLock { $0.service }?.queue?.shouldContinue(payment, in: storefront) ?? true
    }
}

/// The reason why a transaction leaves the payment queue.
package enum RemovalReason: Hashable, Sendable {
    /// The app has finished the transaction.
    case finished
    /// The account has signed out; the transaction returns when the account signs in again.
    case accountChanged
}

/// A change that the payment engine reports to the app's payment queue, which notifies the app's observers.
package enum Announcement: Sendable {
    /// Payments were added, or their state has changed.
    case updated([PaymentQueueRecord])
    /// The transactions of these payments have left the payment queue.
    case removed([PaymentID], RemovalReason)
    /// The restore completed, and every restored transaction was delivered.
    case restoreFinished
    /// The restore failed; some restored transactions may not have been delivered.
    case restoreFailed(PaymentFailure)
    /// The store revoked purchases of these products.
    case revoked([ProductID])
    /// The account's storefront has changed to this storefront.
    case storefrontChanged(PurchaseModel.Storefront)
    /// The user began a promoted in-app purchase outside the app.
    case promoted(PendingDelivery<PromotedPurchase>)
    /// The store has a message for the user.
    case message(PendingDelivery<StoreMessage>)
}
