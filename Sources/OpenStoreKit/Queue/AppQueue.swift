package import Foundation
package import PurchaseModel
import Synchronization

/// The app's side of a device's payment queue: hears what happens to payments, and answers for the app.
///
/// StoreKit's `SKPaymentQueue` is one. It is attached to the device when the app first asks for it.
package protocol AppQueue: AnyObject, Sendable {
    /// Where the app is called.
    var callbacks: CallbackQueue { get }

    /// Whether the app observes the queue.
    var isObserved: Bool { get }

    /// Belongs to a device from now on, and attaches itself with ``PaymentService/attach(_:taking:)``.
    func belong(to service: PaymentService)

    /// Hears what happens; runs on the callback queue.
    func receive(_ announcement: Announcement)

    /// Hears how a download stands; runs on the callback queue.
    ///
    /// - Parameter isNews: Whether observers are told.
    func receive(_ download: DownloadStatus, isNews: Bool)

    /// Forgets every transaction at once, before the engine has said whose queue it is now.
    func forgetTransactions()

    /// Asks the app whether a payment goes on in another country's store.
    func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool
}

/// How a download stands.
package struct DownloadStatus: Sendable {
    /// What the device keeps of it.
    package let record: DownloadRecord
    /// How many seconds it will take yet; nil when that can't be told.
    package let remaining: TimeInterval?
}

/// The way from a device's engine to its app; it leads nowhere once device and queue are gone.
final class AppConnection: Sendable {
    private struct Home {
        weak var service: PaymentService?
    }

    private let callbacks: CallbackQueue
    private let home = Mutex(Home())

    init(_ callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// From now on the app is that of this service.
    func lead(to service: PaymentService) {
        home.withLock { $0.service = service }
    }

    /// Tells the app on the callback queue, after everything that it was told before, and returns at once.
    func announce(_ announcement: Announcement) {
        callbacks.submit { [self] in home.withLock { $0.service }?.deliver(announcement) }
    }

    /// Tells the app on the callback queue how a download stands, and returns at once.
    func announce(_ download: DownloadStatus) {
        callbacks.submit { [self] in home.withLock { $0.service }?.queue?.receive(download, isNews: true) }
    }

    /// Asks the app whether a payment goes on in another country's store; yes when there is nobody to ask.
    func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool {
        await home.withLock { $0.service }?.queue?.shouldContinue(payment, in: storefront) ?? true
    }
}
