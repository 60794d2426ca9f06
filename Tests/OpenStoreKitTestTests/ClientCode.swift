import Foundation
import StoreKit
import StoreKitTest

/// A typical store manager, written for Apple's platforms, that listens for transactions from its creation.
@MainActor final class ClientStore {
    private(set) var products: [Product] = []
    private(set) var purchasedIDs: Set<String> = []
    private var updates: Task<Void, Never>?

    enum Failure: Error {
        case failedVerification
    }

    init() {
        updates = listenForTransactions()
    }

    deinit {
        updates?.cancel()
    }

    private func listenForTransactions() -> Task<Void, Never> {
        Task(priority: .background) { [weak self] in
            for await result in Transaction.updates {
                guard let transaction = try? self?.checkVerified(result) else { continue }
                await self?.updatePurchases()
                await transaction.finish()
            }
        }
    }

    func load(_ ids: [String]) async throws {
        products = try await Product.products(for: ids).sorted { $0.price < $1.price }
        await updatePurchases()
    }

    func purchase(_ product: Product) async throws -> Transaction? {
        switch try await product.purchase() {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            await updatePurchases()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending:
            return nil
        @unknown default:
            return nil
        }
    }

    func updatePurchases() async {
        var ids: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? checkVerified(result) else { continue }
            ids.insert(transaction.productID)
        }
        purchasedIDs = ids
    }

    func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw Failure.failedVerification
        case .verified(let safe): return safe
        }
    }
}

/// A typical payment queue observer.
final class ClientObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var purchased: [String] = []
    var onPurchase: (@Sendable (String) -> Void)?

    var purchasedIDs: [String] { lock.withLock { purchased } }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                lock.withLock { purchased.append(transaction.payment.productIdentifier) }
                queue.finishTransaction(transaction)
                onPurchase?(transaction.payment.productIdentifier)
            case .failed:
                queue.finishTransaction(transaction)
            case .purchasing, .deferred:
                break
            @unknown default:
                break
            }
        }
    }
}

/// An observer whose conformances are isolated to the main actor, as in apps with default main actor isolation.
@MainActor
final class MainActorObserver: NSObject, @MainActor SKPaymentTransactionObserver, @MainActor SKProductsRequestDelegate,
    @MainActor SKPaymentQueueDelegate
{
    private var request: SKProductsRequest?
    private let events: AsyncStream<String>.Continuation

    init(_ events: AsyncStream<String>.Continuation) {
        self.events = events
    }

    func buy(_ id: String) {
        let request = SKProductsRequest(productIdentifiers: [id])
        request.delegate = self
        request.start()
        self.request = request
    }

    private func record(_ event: String) {
        MainActor.preconditionIsolated()
        events.yield(event)
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        record("\(response.products.count) product")
        for product in response.products { SKPaymentQueue.default().add(SKPayment(product: product)) }
    }

    func requestDidFinish(_ request: SKRequest) {
        record("finished")
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            record("bought")
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        record("removed")
    }
}
