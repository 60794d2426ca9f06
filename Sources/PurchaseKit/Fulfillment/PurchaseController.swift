public import Foundation
public import PurchaseModel
public import PurchaseProof
public import StoreKit
import Synchronization

/// The controller of an app's payment queue, which verifies and delivers each transaction before finishing it.
///
/// The controller observes a queue and passes every transaction to one worker, in order. Observers never block, and deliveries never
/// overlap. A transaction whose delivery fails stays in the queue, and is delivered again at the next launch or by ``retry()``.
public final class PurchaseController: NSObject, SKPaymentTransactionObserver, Sendable {
    private let queue: SKPaymentQueue
    private let worker: FulfillmentWorker
    private let waiters = Mutex(Waiters())
    private let report: @Sendable (PurchaseEvent) -> Void

    /// Creates a controller; nothing happens until ``start()``.
    ///
    /// - Parameters:
    ///   - queue: The payment queue to observe.
    ///   - verifier: The verifier of transactions.
    ///   - vault: The vault, which contains the products that the user already owns.
    ///   - delivery: The app's delivery of purchases.
    ///   - report: Receives events for the user interface; must not block.
    public init(
        queue: SKPaymentQueue,
        verifier: SignedDataVerifier,
        vault: Vault,
        delivery: any Delivery,
        report: @escaping @Sendable (PurchaseEvent) -> Void = { _ in }
    ) {
        self.queue = queue
        self.report = report
        worker = FulfillmentWorker(queue: queue, verifier: verifier, vault: vault, delivery: delivery)
    }

    /// Starts observing the queue, which then delivers the unfinished transactions of earlier app sessions.
    public func start() {
        queue.add(self)
    }

    /// Stops observing the queue.
    public func stop() {
        queue.remove(self)
    }

    /// Adds a payment and returns at once; the outcome is reported as an event.
    public func add(_ product: SKProduct, quantity: Int = 1, customer: CustomerID? = nil) {
        pay(product, quantity, customer, nil)
    }

    /// Adds a payment and waits for the outcome, without a time limit.
    public func buy(_ product: SKProduct, quantity: Int = 1, customer: CustomerID? = nil) async -> PurchaseOutcome {
        await withCheckedContinuation { pay(product, quantity, customer, $0) }
    }

    private func pay(
        _ product: SKProduct,
        _ quantity: Int,
        _ customer: CustomerID?,
        _ continuation: CheckedContinuation<PurchaseOutcome, Never>?
    ) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = customer?.rawValue
        waiters.withLock { $0.add(product: product.productIdentifier, quantity: quantity, continuation) }
        queue.add(payment)
    }

    /// Delivers the unfinished transactions in the queue again.
    public func retry() {
        for transaction in queue.transactions {
            handle(transaction)
        }
    }

    /// Restores the account's purchases.
    ///
    /// A call during a restore joins the running restore: the first call asks for the choice, and both calls have the same outcome.
    ///
    /// - Parameter choose: Returns the user's choice among the restorable products; the transactions of other products are finished at once.
    public func restore(choose: @escaping @Sendable ([ProductID]) async -> Set<ProductID>) async -> RestoreOutcome {
        await withCheckedContinuation { continuation in
            worker.submit(.restore(Restore(choose: choose, continuation: continuation)))
        }
    }

    /// Waits until all transactions received so far are processed; returns the number of processed items since the creation.
    @discardableResult
    public func idle() async -> Int {
        await worker.idle()
    }

    // MARK: - Observing

    /// Processes updated transactions; called by the queue.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            handle(transaction)
        }
    }

    /// Ends a completed restore; called by the queue.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        worker.submit(.restoreFinished(nil))
    }

    /// Ends a failed restore; called by the queue.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        worker.submit(.restoreFinished(error as NSError))
    }

    private func handle(_ transaction: SKPaymentTransaction) {
        let product = ProductID(transaction.payment.productIdentifier)
        switch transaction.transactionState {
        case .purchasing:
            waiters.withLock { $0.bind(transaction) }
            report(.purchasing(product))
        case .deferred:
            settle(transaction, .pending)
        case .failed:
            queue.finishTransaction(transaction)
            settle(transaction, PurchaseOutcome(failure: transaction.error))
        case .purchased:
            worker.submit(.purchased(transaction) { [weak self] in self?.settle(transaction, $0) })
        case .restored:
            worker.submit(.restored(transaction) { [report] in report(.restorable([product])) })
        @unknown default: break
        }
    }

    private func settle(_ transaction: SKPaymentTransaction, _ outcome: PurchaseOutcome) {
        report(.settled(ProductID(transaction.payment.productIdentifier), outcome))
        let continuation = waiters.withLock { $0.take(transaction) }
        continuation?.resume(returning: outcome)
    }
}

extension PurchaseOutcome {
    /// Creates the outcome of an error: canceled, or failed with a message.
    init(failure error: (any Error)?) {
        guard let error = error as NSError? else {
            self = .failed(domain: SKErrorDomain, code: SKError.Code.unknown.rawValue, message: "The purchase failed.")
            return
        }
        if error.domain == SKErrorDomain, error.code == SKError.Code.paymentCancelled.rawValue {
            self = .cancelled
        } else {
            self = .failed(domain: error.domain, code: error.code, message: error.localizedDescription)
        }
    }
}
