package import Foundation
package import PurchaseModel
import Synchronization

/// The app's side of a device's payment queue, which receives changes of payments and answers questions on the app's behalf.
///
/// StoreKit's `SKPaymentQueue` conforms to this protocol. The queue is attached to the device when the app first accesses it.
package protocol AppPaymentQueue: AnyObject, Sendable {
    /// The queue on which observers and delegates are called.
    var callbacks: CallbackQueue { get }

    /// Whether the app observes the queue.
    var isObserved: Bool { get }

    /// Assigns the queue to a device; the queue attaches itself with ``PaymentService/attach(_:receiving:)``.
    func attach(to service: PaymentService)

    /// Receives a change of the payment queue; runs on the callback queue.
    func receive(_ announcement: Announcement)

    /// Receives the state of a download; runs on the callback queue.
    ///
    /// - Parameter notifiesObservers: Whether observers are notified.
    func receive(_ download: DownloadStatus, notifiesObservers: Bool)

    /// Removes every transaction at once, before the engine announces the account that owns the queue now.
    func forgetTransactions()

    /// Asks the app whether a payment continues after the storefront has changed.
    func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool
}

/// The state of a download.
package struct DownloadStatus: Sendable {
    /// The download's record on the device.
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

    /// Connects the engine to the app of this service.
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

    /// Asks the app whether a payment continues after the storefront has changed; true when the app has no queue to ask.
    func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool {
        await reference.withLock { $0.service }?.queue?.shouldContinue(payment, in: storefront) ?? true
    }
}
