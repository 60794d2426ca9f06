public import Foundation
package import OpenStoreKit
import PurchaseModel
import StoreProtocol
import Synchronization

/// The queue of an app's payments, which the App Store processes.
///
/// Every method returns at once. A transaction stays in the queue across launches until the app finishes it, and a new observer receives
/// every transaction in the queue. Observers and the delegate are called on a serial queue of the `Device`.
///
/// A queue that belongs to no `Device`, such as a subclass in a test, fails every payment. The error names the configuration to set.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    struct State {
        var observers: [Listener<any SKPaymentTransactionObserver>] = []
        var delegate: Listener<any SKPaymentQueueDelegate>?
        var contents = QueueContents()
        /// The payments that the app has added and that have no transaction yet.
        var payments: [PaymentID: SKPayment] = [:]
        /// The identifiers of failed transactions whose payments were not sent to the device's payment engine.
        var local: Set<PaymentID> = []
        /// The messages about price increases whose consent sheet the delegate has postponed.
        var consents: [PendingDelivery<StoreMessage>] = []
        /// The promoted in-app purchases that wait for an observer that implements the method for them.
        var promotions: [PendingDelivery<PromotedPurchase>] = []
        /// Whether the observer called last uses the default implementation of `paymentQueue(_:shouldAddStorePayment:for:)`.
        var lacksPromotionMethod = false
        /// The downloads of the transactions in the queue, by transaction identifier.
        var downloads: [TransactionID: SKDownload] = [:]
        /// The payment service of the `Device` to which the queue belongs; nil for a queue that belongs to no device.
        var service: PaymentService?
    }

    let state = Mutex(State())
    package let callbacks: CallbackQueue

    /// The payment service of the `Device` to which the queue belongs; nil for a queue that belongs to no device.
    var service: PaymentService? { state.withLock { $0.service } }

    init(callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// Creates a queue that belongs to no `Device`, for subclasses.
    public override init() {
        callbacks = CallbackQueue()
    }

    /// The queue that ``default()`` returns while no `Device` is configured, and that the shared device of test sessions adopts.
    package static let withoutDevice = SKPaymentQueue(callbacks: .withoutDevice)

    /// Returns the payment queue of the current `Device`.
    ///
    /// If no device is configured, the returned queue fails every payment with an error that names the configuration to set.
    open class func `default`() -> Self {
        let queue = Device.active?.paymentQueue ?? withoutDevice
        guard let queue = queue as? Self else {
            // reason: a mistake in the app's code, not input.
            preconditionFailure("SKPaymentQueue.default() can't return a \(Self.self). Override default() in \(Self.self).")
        }
        return queue
    }

    /// Returns whether the user may make payments; returns true when no `Device` is configured.
    open class func canMakePayments() -> Bool {
        Device.active?.canMakePayments ?? true
    }

    /// The delegate that decides about storefront changes and price consent sheets, held weakly.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { state.withLock { $0.delegate }?.value }
        set {
            let listener = newValue.map { delegate in Listener<any SKPaymentQueueDelegate>(delegate) { [weak delegate] in delegate } }
            state.withLock { $0.delegate = listener }
        }
    }

    /// The observers of the queue, in the order in which the app added them.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        state.withLock { $0.observers }.compactMap(\.value)
    }

    /// The unfinished transactions in the queue, in the order of their arrival.
    open var transactions: [SKPaymentTransaction] {
        state.withLock { $0.contents.all() }
    }

    /// The storefront of the signed-in account; nil until an account has signed in.
    open var storefront: SKStorefront? {
        service?.storefront.map { SKStorefront($0) }
    }

    /// Adds an observer, which the queue holds weakly, and delivers every transaction in the queue to the observer.
    ///
    /// Adding the first observer starts the queue. The queue then delivers the unfinished transactions in the device's journal and in the
    /// store.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        let listener = Listener<any SKPaymentTransactionObserver>(observer) { [weak observer] in observer }
        let (isEmpty, promotions) = state.withLock { state in
            state.observers.removeAll { $0.isStale(orSame: listener) }
            state.observers.append(listener)
            defer { state.promotions = [] }
            return (state.contents.isEmpty, state.promotions)
        }
        if !isEmpty {
            callbacks.submit { [weak self] in self?.deliverTransactions(to: listener) }
        }
        for promotion in promotions { describe(promotion) }
        service?.launch()
    }

    /// Removes an observer, which receives no more calls.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        let listener = Listener<any SKPaymentTransactionObserver>(observer) { [weak observer] in observer }
        state.withLock { $0.observers.removeAll { $0.isStale(orSame: listener) } }
    }

    /// Adds a copy of a payment to the queue, which notifies the observers of a new transaction in the state `purchasing`.
    open func add(_ payment: SKPayment) {
        add(payment, offer: nil)
    }

    /// Finishes a purchased, restored or failed transaction, which removes it from the queue.
    ///
    /// Call this method after the app has delivered the product. The call has no effect if the transaction is already finished, or if its
    /// state is `purchasing` or `deferred`.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        let (isLocal, service) = state.withLock { ($0.local.remove(transaction.id) != nil, $0.service) }
        if isLocal { submit(.removed([transaction.id], .finished)) } else { service?.finish(transaction.id) }
    }

    /// Restores the account's non-consumables and auto-renewable subscriptions as new transactions in the queue.
    ///
    /// If a restore is in progress, the call starts no second restore. The user may have to sign in, so call this method only when the user
    /// requests it, in `Device.withUserGesture`. Other calls are reported to `DeviceConfiguration.report`.
    open func restoreCompletedTransactions() {
        restoreCompletedTransactions(of: nil)
    }

    /// Restores the purchases that were made with an application username.
    ///
    /// An empty username restores all purchases, because many apps pass an empty text instead of nil.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        restoreCompletedTransactions(of: ApplicationUser(username))
    }

    /// Starts downloads, or continues them with the bytes that were received before.
    open func start(_ downloads: [SKDownload]) {
        service?.downloads.start(transactionIDs(of: downloads))
    }

    /// Pauses downloads, and keeps the received bytes.
    open func pause(_ downloads: [SKDownload]) {
        service?.downloads.pause(transactionIDs(of: downloads))
    }

    /// Resumes paused downloads.
    open func resume(_ downloads: [SKDownload]) {
        service?.downloads.resume(transactionIDs(of: downloads))
    }

    /// Cancels downloads and discards the received bytes.
    open func cancel(_ downloads: [SKDownload]) {
        service?.downloads.cancel(transactionIDs(of: downloads))
    }

    /// Shows the sheet in which the user enters an offer code.
    ///
    /// The queue then receives a transaction for the purchase with the code.
    open func presentCodeRedemptionSheet() {
        service?.redeemOfferCode()
    }

    /// Shows the price consent sheets that the delegate has postponed.
    open func showPriceConsentIfNeeded() {
        showPendingConsents()
    }

    private func restoreCompletedTransactions(of user: ApplicationUser?) {
        guard let service else { return submit(.restoreFailed(.noDevice)) }
        service.restore(user)
    }
}

extension CallbackQueue {
    /// The queue on which observers and delegates are called while no `Device` is configured.
    static let withoutDevice = CallbackQueue()
}
