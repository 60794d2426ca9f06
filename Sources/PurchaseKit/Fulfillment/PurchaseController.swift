public import Foundation
public import PurchaseModel
public import PurchaseProof
public import StoreKit
import Synchronization

/// The app's side of the payment queue: verifies, delivers, and only then finishes.
///
/// It observes a queue and hands every transaction to one worker, in order, so observers never block and deliveries never
/// overlap. A delivery that fails leaves its transaction in the queue; it is tried again at the next launch or by ``retry()``.
public final class PurchaseController: NSObject, SKPaymentTransactionObserver, Sendable {
    private let queue: SKPaymentQueue
    private let worker: FulfillmentWorker
    private let waiters = Mutex(Waiters())
    private let report: @Sendable (PurchaseEvent) -> Void

    /// Creates a controller; nothing happens until ``start()``.
    ///
    /// - Parameters:
    ///   - queue: The payment queue to observe.
    ///   - verifier: What vouches for transactions.
    ///   - vault: What is already there, for telling gained from kept.
    ///   - delivery: What the app does with a purchase.
    ///   - report: Is told what happens, for the screens; must not block.
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

    /// Begins to observe the queue; what earlier launches left unfinished comes now.
    public func start() {
        queue.add(self)
    }

    /// Stops observing the queue.
    public func stop() {
        queue.remove(self)
    }

    /// Adds a payment and returns at once; the outcome comes as an event.
    public func add(_ product: SKProduct, quantity: Int = 1, customer: CustomerID? = nil) {
        pay(product, quantity, customer, nil)
    }

    /// Adds a payment and waits for its outcome, however long the user or the network takes.
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

    /// Tries again to deliver what could not be delivered.
    public func retry() {
        for transaction in queue.transactions {
            handle(transaction)
        }
    }

    /// Restores what the account has bought.
    ///
    /// A second call joins the first: the choice is asked for once, and both end alike.
    ///
    /// - Parameter choose: The user's choice among the products that can be restored; what is not chosen is finished at once.
    public func restore(choose: @escaping @Sendable ([ProductID]) async -> Set<ProductID>) async -> RestoreOutcome {
        await withCheckedContinuation { continuation in
            worker.submit(.restore(Restore(choose: choose, continuation: continuation)))
        }
    }

    /// Returns when everything that the queue has handed over so far was dealt with; answers how much that was since the beginning.
    @discardableResult
    public func idle() async -> Int {
        await worker.idle()
    }

    // MARK: - Observing

    /// Takes what the queue hands over; called by the queue.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            handle(transaction)
        }
    }

    /// Ends a restore; called by the queue.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        worker.submit(.restoreFinished(nil))
    }

    /// Ends a restore that failed; called by the queue.
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
    /// Tells cancelling from failing: the first has no message.
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
