public import Foundation
import PurchaseModel
import Synchronization

/// The queue through which an app buys and restores.
///
/// Every method returns at once. Transactions stay in the queue, across launches, until the app finishes them; a new
/// observer is told of all that are in it.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    fileprivate struct State {
        var observers: [Listener<any SKPaymentTransactionObserver>] = []
        var transactions: [PaymentID: SKPaymentTransaction] = [:]
        var engine: PaymentEngine?
    }

    private let state = Mutex(State())
    private let callbacks: CallbackQueue

    init(callbacks: CallbackQueue) {
        self.callbacks = callbacks
    }

    deinit {
        state.withLock { $0.engine }?.close()
    }

    /// The queue of the current device.
    ///
    /// Without a device there is no store to buy in; an app that runs on Linux sets one first with ``Device/use(_:)``.
    open class func `default`() -> SKPaymentQueue {
        guard let device = Device.active else {
            preconditionFailure("No device: call Device.use(_:) before StoreKit.")  // reason: a mistake in the app's code, not input.
        }
        return device.paymentQueue
    }

    /// Whether the user of the current device may pay.
    open class func canMakePayments() -> Bool {
        Device.active?.canMakePayments ?? false
    }

    /// The observers, in the order in which they were added.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        state.withLock { $0.observers }.compactMap(\.value)
    }

    /// The transactions that are not finished, in the order in which they came.
    open var transactions: [SKPaymentTransaction] {
        state.withLock { Array($0.transactions.values) }.sorted { $0.sequence < $1.sequence }
    }

    /// Adds an observer, without keeping it alive, and tells it of every transaction in the queue.
    ///
    /// The first observer starts the queue: what the journal and the store hold for this device is delivered again.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        let listener = Listener<any SKPaymentTransactionObserver>(observer)
        let isEmpty = state.withLock { state in
            state.observers.removeAll { $0.isStale(orSame: listener) }
            state.observers.append(listener)
            return state.transactions.isEmpty
        }
        if !isEmpty {
            callbacks.submit { [weak self] in
                guard let self else { return }
                let waiting = transactions
                if !waiting.isEmpty { call(listener) { $0.paymentQueue(self, updatedTransactions: waiting) } }
            }
        }
        submit(.launch)
    }

    /// Removes an observer, which hears nothing from then on.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        let listener = Listener<any SKPaymentTransactionObserver>(observer)
        state.withLock { $0.observers.removeAll { $0.isStale(orSame: listener) } }
    }

    /// Adds a copy of a payment; the transaction appears with the state *purchasing*.
    open func add(_ payment: SKPayment) {
        let request = PaymentRequest(
            id: PaymentID(UUID()),
            productID: ProductID(payment.productIdentifier),
            quantity: payment.quantity,
            username: payment.applicationUsername,
            product: payment.values.withLock { $0.product }
        )
        submit(.add(request))
    }

    /// Removes a transaction that was purchased, restored or failed; to be called after everything was delivered.
    ///
    /// Finishing twice changes nothing, and a transaction that is still under way is left alone.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        submit(.finish(transaction.id))
    }

    /// Restores everything that the account has bought and the store can restore.
    ///
    /// A second call joins the first.
    open func restoreCompletedTransactions() {
        submit(.restore(nil))
    }

    /// Restores what was bought with an application username.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        submit(.restore(username.map { CustomerID($0) }))
    }

    private func submit(_ command: PaymentEngine.Command) {
        state.withLock { $0.engine }?.submit(command)
    }

    // MARK: - From the engine

    func attach(_ engine: PaymentEngine) {
        state.withLock { $0.engine = engine }
    }

    func receive(_ announcement: Announcement) {
        callbacks.submit { [weak self] in self?.deliver(announcement) }
    }

    /// Runs on the callback queue; observers are called without any lock.
    private func deliver(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            let updated = state.withLock { state in records.map { state.update($0) } }
            guard !updated.isEmpty else { return }
            callAll { $0.paymentQueue(self, updatedTransactions: updated) }
        case .removed(let ids):
            let removed = state.withLock { state in ids.compactMap { state.transactions.removeValue(forKey: $0) } }
            guard !removed.isEmpty else { return }
            callAll { $0.paymentQueue(self, removedTransactions: removed) }
        case .restoreFinished:
            callAll { $0.paymentQueueRestoreCompletedTransactionsFinished(self) }
        case .restoreFailed(let failure):
            callAll { $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: failure.error) }
        case .revoked, .storefrontChanged, .promoted, .message:
            break
        }
    }

    private func callAll(_ body: (any SKPaymentTransactionObserver) -> Void) {
        for listener in state.withLock({ $0.observers }) {
            call(listener, body)
        }
    }

    /// Calls an observer unless it was removed meanwhile, perhaps by the one that was called before it.
    private func call(
        _ listener: Listener<any SKPaymentTransactionObserver>,
        _ body: (any SKPaymentTransactionObserver) -> Void
    ) {
        guard state.withLock({ $0.observers.contains { $0.isSame(as: listener) } }), let observer = listener.value else { return }
        body(observer)
    }
}

extension SKPaymentQueue.State {
    fileprivate mutating func update(_ record: PaymentRecord) -> SKPaymentTransaction {
        if let known = transactions[record.id] {
            known.update(record)
            return known
        }
        let transaction = SKPaymentTransaction(record)
        transactions[record.id] = transaction
        return transaction
    }
}
