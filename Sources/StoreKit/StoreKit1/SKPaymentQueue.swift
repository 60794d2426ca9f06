public import Foundation
package import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// The queue through which an app buys and restores.
///
/// Every method returns at once. Transactions stay in the queue, across launches, until the app finishes them; a new
/// observer is told of all that are in it. Observers and the delegate are called on the device's callback queue.
///
/// A queue that belongs to no device, such as one that a test makes to override some of it, fails every payment and says why.
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
        /// Whether the observer that was asked about such a choice has no method for it.
        var lacksPromotions = false
        /// The downloads of the transactions in the queue.
        var downloads: [TransactionID: SKDownload] = [:]
        /// Nil for a queue that belongs to no device.
        var service: PaymentService?
    }

    let state = Mutex(State())
    package let callbacks: CallbackQueue

    /// What the queue's device does for it; nil for a queue that belongs to none.
    var service: PaymentService? { state.withLock { $0.service } }

    init(callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    /// Creates a queue that belongs to no device, for subclasses.
    public override init() {
        callbacks = CallbackQueue()
    }

    /// The queue of those who ask where there is no device, and of the device that test sessions share.
    package static let withoutDevice = SKPaymentQueue(callbacks: .withoutDevice)

    /// The queue of the current device.
    ///
    /// Where there is none, a queue that fails every payment and says what to configure (`Device`).
    open class func `default`() -> Self {
        let queue = Device.active?.paymentQueue ?? withoutDevice
        guard let queue = queue as? Self else {
            preconditionFailure("\(Self.self) has to override default().")  // reason: a mistake in the app's code, not input.
        }
        return queue
    }

    /// Whether the user of the current device may pay; true where there is no device.
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
    /// The first observer starts the queue: what the journal and the store hold for this device is delivered again.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        let listener = Listener<any SKPaymentTransactionObserver>(observer) { [weak observer] in observer }
        let (isEmpty, promotions) = state.withLock { state in
            state.observers.removeAll { $0.isStale(orSame: listener) }
            state.observers.append(listener)
            defer { state.promotions = [] }
            return (state.contents.isEmpty, state.promotions)
        }
        if !isEmpty {
            callbacks.submit { [weak self] in self?.welcome(listener) }
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

    /// Removes a transaction that was purchased, restored or failed; to be called after everything was delivered.
    ///
    /// Finishing twice changes nothing, and a transaction that is still under way is left alone.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        guard state.withLock({ $0.local.remove(transaction.id) }) == nil else { return submit(.removed([transaction.id])) }
        service?.finish(transaction.id)
    }

    /// Restores all purchases of the account that the store can restore.
    ///
    /// A second call joins the first. It may ask for a sign-in, so call it when the user asked for it (`Device.withUserGesture`);
    /// otherwise it is reported.
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
        service?.start(hosted(downloads))
    }

    /// Pauses downloads; the received bytes are kept.
    open func pause(_ downloads: [SKDownload]) {
        service?.pause(hosted(downloads))
    }

    /// Resumes paused downloads.
    open func resume(_ downloads: [SKDownload]) {
        service?.resume(hosted(downloads))
    }

    /// Cancels downloads and discards the received bytes.
    open func cancel(_ downloads: [SKDownload]) {
        service?.cancel(hosted(downloads))
    }

    /// Shows the sheet in which the user enters an offer code; the redeemed purchase arrives as a transaction.
    open func presentCodeRedemptionSheet() {
        service?.redeemOfferCode()
    }

    /// Asks the user now to consent to the price increases that the delegate has postponed.
    open func showPriceConsentIfNeeded() {
        showWaitingConsents()
    }

    private func restoreCompletedTransactions(of customer: ApplicationUser?) {
        guard let service else { return submit(.restoreFailed(.noDevice)) }
        service.restore(customer)
    }
}

extension CallbackQueue {
    /// Where those are called who listen although there is no device.
    static let withoutDevice = CallbackQueue()
}
