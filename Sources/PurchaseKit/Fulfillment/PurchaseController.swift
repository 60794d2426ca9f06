public import Foundation
public import PurchaseModel
public import PurchaseProof
public import StoreKit
import Synchronization

/// Controls an app's payment queue: verifies and delivers each transaction before it finishes the transaction.
///
/// The controller observes a queue and delivers one transaction after the other, without blocking the queue. A transaction whose delivery
/// fails stays in the queue, and is delivered at the next launch or by ``retry()``.
public final class PurchaseController: NSObject, SKPaymentTransactionObserver, Sendable {
    private let queue: SKPaymentQueue
    private let worker: FulfillmentWorker
    private let waiters = Mutex(Waiters())
    private let report: @Sendable (PurchaseEvent) -> Void

    /// Creates a controller, which observes the queue after ``start()``.
    ///
    /// - Parameters:
    ///   - queue: The payment queue to observe.
    ///   - verifier: The verifier of transactions.
    ///   - vault: The vault with the delivered purchases, by which a restore distinguishes new products from owned products.
    ///   - delivery: The app's delivery of purchases.
    ///   - report: Receives events for the user interface; it must not block.
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

    /// Starts observing the queue; unfinished transactions of earlier app sessions are then delivered.
    public func start() {
        queue.add(self)
    }

    /// Stops observing the queue.
    public func stop() {
        queue.remove(self)
    }

    /// Adds a payment for a product to the queue and returns at once; the outcome is reported as ``PurchaseEvent/settled(_:_:)``.
    public func add(_ product: SKProduct, quantity: Int = 1, customer: CustomerID? = nil) {
        pay(product, quantity, customer, nil)
    }

    /// Adds a payment for a product to the queue, and waits for the outcome without a time limit.
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
    /// A call while a restore is running joins that restore: only the closure of the first call is called, and all calls have the same
    /// outcome.
    ///
    /// - Parameter choose: Returns the products that the user chose among the restorable products. The transactions of other products are
    ///   finished without delivery.
    public func restore(choose: @escaping @Sendable ([ProductID]) async -> Set<ProductID>) async -> RestoreOutcome {
        await withCheckedContinuation { continuation in
            worker.submit(.restore(RunningRestore(choose: choose, continuation: continuation)))
        }
    }

    /// Waits until all transactions and restores so far are processed, and returns their number since the controller was created.
    @discardableResult
    public func idle() async -> Int {
        await worker.idle()
    }

    // MARK: - Observing

    /// Processes the updated transactions of the queue, which calls this method.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            handle(transaction)
        }
    }

    /// Continues a restore for which the queue has reported all transactions; the queue calls this method.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        worker.submit(.restoreFinished(nil))
    }

    /// Ends a restore that failed; the queue calls this method.
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
    /// Creates the outcome for an error of StoreKit: `cancelled`, or `failed` with the error's message.
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
