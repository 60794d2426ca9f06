public import Foundation
package import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// The queue of an app's payments, which the store processes.
///
/// Every method returns at once. Transactions stay in the queue across launches until the app finishes them, and a new observer receives
/// every transaction in the queue. Observers and the delegate are called on the device's callback queue.
///
/// A queue without a device, such as a subclass in a test, fails every payment with an error that names the configuration to set.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    struct State {
        var observers: [Listener<any SKPaymentTransactionObserver>] = []
        var delegate: Listener<any SKPaymentQueueDelegate>?
        var contents = QueueContents()
        /// Payments as the app added them, until their transactions exist.
        var payments: [PaymentID: SKPayment] = [:]
        /// Transactions that exist only in this queue and not in the engine.
        var local: Set<PaymentID> = []
        /// Price increase messages that the delegate has postponed.
        var consents: [PendingDelivery<StoreMessage>] = []
        /// Promoted purchases that wait for an observer.
        var promotions: [PendingDelivery<PromotedPurchase>] = []
        /// Whether the current observer does not implement the method for promoted purchases.
        var lacksPromotionMethod = false
        /// The downloads of the transactions in the queue.
        var downloads: [TransactionID: SKDownload] = [:]
        /// The service of the queue's device; nil for a queue without a device.
        var service: PaymentService?
    }

    let state = Mutex(State())
    package let callbacks: CallbackQueue

    /// The service of the queue's device; nil for a queue without a device.
    var service: PaymentService? { state.withLock { $0.service } }

    init(callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// Creates a queue without a device, for subclasses.
    public override init() {
        callbacks = CallbackQueue()
    }

    /// The queue of a process without a device; the shared device of test sessions uses the same queue.
    package static let withoutDevice = SKPaymentQueue(callbacks: .withoutDevice)

    /// The queue of the current device.
    ///
    /// Without a device, the queue fails every payment with an error that names the configuration to set (`Device`).
    open class func `default`() -> Self {
        let queue = Device.active?.paymentQueue ?? withoutDevice
        guard let queue = queue as? Self else {
            preconditionFailure("\(Self.self) has to override default().")  // reason: a mistake in the app's code, not input.
        }
        return queue
    }

    /// Whether the user of the current device may make payments; true without a device.
    open class func canMakePayments() -> Bool {
        Device.active?.canMakePayments ?? true
    }

    /// The delegate that decides whether the queue continues.
    open weak var delegate: (any SKPaymentQueueDelegate)? {
        get { state.withLock { $0.delegate }?.value }
        set {
            let listener = newValue.map { delegate in Listener<any SKPaymentQueueDelegate>(delegate) { [weak delegate] in delegate } }
            state.withLock { $0.delegate = listener }
        }
    }

    /// The observers, in the order in which they were added.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        state.withLock { $0.observers }.compactMap(\.value)
    }

    /// The unfinished transactions, in the order of their arrival.
    open var transactions: [SKPaymentTransaction] {
        state.withLock { $0.contents.all() }
    }

    /// The account's storefront; nil when it is not known yet.
    open var storefront: SKStorefront? {
        service?.storefront.map { SKStorefront($0) }
    }

    /// Adds a weakly held observer, and delivers every transaction in the queue to it.
    ///
    /// The first observer starts the queue, which then delivers the transactions in the journal and in the store.
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

    /// Adds a copy of a payment; the transaction appears with the state *purchasing*.
    open func add(_ payment: SKPayment) {
        add(payment, offer: payment.paymentDiscount?.choice)
    }

    /// Removes a transaction that was purchased, restored or failed; call this method after the app has delivered the product.
    ///
    /// The call has no effect for a finished transaction, or for one that is still purchasing or deferred.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        guard state.withLock({ $0.local.remove(transaction.id) }) == nil else { return submit(.removed([transaction.id])) }
        service?.finish(transaction.id)
    }

    /// Restores all purchases of the account that the store can restore.
    ///
    /// A call during a restore joins the running restore. The restore may ask for a sign-in, so call this method at the user's request, in
    /// `Device.withUserGesture`; other calls are reported.
    open func restoreCompletedTransactions() {
        restoreCompletedTransactions(of: nil)
    }

    /// Restores the purchases with an application username.
    ///
    /// An empty username, as many apps pass it, restores all purchases.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        restoreCompletedTransactions(of: ApplicationUser(username))
    }

    /// Starts or continues downloads.
    open func start(_ downloads: [SKDownload]) {
        service?.start(transactionIDs(of: downloads))
    }

    /// Pauses downloads; the received bytes are kept.
    open func pause(_ downloads: [SKDownload]) {
        service?.pause(transactionIDs(of: downloads))
    }

    /// Resumes paused downloads.
    open func resume(_ downloads: [SKDownload]) {
        service?.resume(transactionIDs(of: downloads))
    }

    /// Cancels downloads and discards the received bytes.
    open func cancel(_ downloads: [SKDownload]) {
        service?.cancel(transactionIDs(of: downloads))
    }

    /// Shows the sheet in which the user enters an offer code; the queue then receives the redeemed purchase as a transaction.
    open func presentCodeRedemptionSheet() {
        service?.redeemOfferCode()
    }

    /// Asks the user now to consent to the price increases that the delegate has postponed.
    open func showPriceConsentIfNeeded() {
        showPendingConsents()
    }

    private func restoreCompletedTransactions(of user: ApplicationUser?) {
        guard let service else { return submit(.restoreFailed(.noDevice)) }
        service.restore(user)
    }
}

extension CallbackQueue {
    /// The callback queue of observers and delegates without a device.
    static let withoutDevice = CallbackQueue()
}
