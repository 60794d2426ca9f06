public import Foundation
public import PurchaseModel
public import StoreKit
import Synchronization

/// Delivers the purchases of StoreKit 1's payment queue, for apps that use `SKPaymentQueue`.
///
/// The observer shares the vault, the deliveries and the state of the app's ``Purchases``, so that a purchase is delivered once, even if
/// both APIs report the purchase. The observer adds features that StoreKit 2 lacks: a choice among restored transactions, the application
/// username, receipt refresh, content that the App Store hosts, and notifications for older code.
///
/// ```swift
/// let purchases = Purchases(configuration)
/// purchases.start()
/// let observer = PaymentObserver(purchases)
/// observer.start()
/// observer.add(observer.payment(for: product, quantity: 2))
/// ```
///
/// Keep a reference to the observer, because the payment queue does not retain observers. The observer finishes a transaction after the
/// purchase is durable, and a failed transaction immediately.
public final class PaymentObserver: NSObject, Sendable {
    typealias Message = @MainActor @Sendable (Purchases) async -> Void

    let purchases: Purchases
    let queue: SKPaymentQueue
    let session: RestoreSession
    let lookup: SignedTransactionLookup
    let content: (any QueueContent)?
    let receipt: ReceiptVerification?
    let requests = Mutex(PaymentRequests())
    let restored = RestoredPayments()
    let deliveries = TaskList()
    let refreshing = Mutex<Task<ReceiptRefreshOutcome, Never>?>(nil)
    /// The changes of the app's state, in the order of the queue's announcements.
    private let messages: AsyncStream<Message>.Continuation
    private let announcements = Mutex<[Task<Void, Never>]>([])

    #if os(visionOS)
        /// Creates an observer of a payment queue; observation begins with ``start()``.
        ///
        /// - Parameters:
        ///   - purchases: The app's purchases.
        ///   - queue: The payment queue to observe.
        ///   - receipt: The verification of the receipt file after a refresh; nil if the app does not verify the file on the device.
        @MainActor
        public convenience init(_ purchases: Purchases, queue: SKPaymentQueue = .default(), receipt: ReceiptVerification? = nil) {
            self.init(purchases, queue, nil, receipt)
        }
    #else
        /// Creates an observer of a payment queue; observation begins with ``start()``.
        ///
        /// - Parameters:
        ///   - purchases: The app's purchases.
        ///   - queue: The payment queue to observe.
        ///   - hostedContent: The delivery of content that the App Store hosts; nil for an app without such content.
        ///   - receipt: The verification of the receipt file after a refresh; nil if the app does not verify the file on the device.
        @MainActor
        public convenience init(
            _ purchases: Purchases, queue: SKPaymentQueue = .default(), hostedContent: HostedContentDelivery? = nil,
            receipt: ReceiptVerification? = nil
        ) {
            self.init(purchases, queue, hostedContent, receipt)
        }
    #endif

    @MainActor
    private init(_ purchases: Purchases, _ queue: SKPaymentQueue, _ content: (any QueueContent)?, _ receipt: ReceiptVerification?) {
        self.purchases = purchases
        self.queue = queue
        self.content = content
        self.receipt = receipt
        session = purchases.restoreSession
        lookup = SignedTransactionLookup(vault: session.vault)
        let (stream, messages) = AsyncStream.makeStream(of: Message.self)
        self.messages = messages
        super.init()
        Task { [weak purchases] in
            for await message in stream {
                guard let purchases else { return }
                await message(purchases)
            }
        }
    }

    /// Ends each call that waits for a payment with a failure; the payments stay in the queue.
    private func endPayments() {
        let failure = PurchaseFailure(.store, message: "The app stopped observing the payment queue.")
        for continuation in requests.withLock({ $0.removeAll() }) { continuation.resume(returning: .failed(failure)) }
    }

    deinit {
        endPayments()
        messages.finish()
        for task in announcements.withLock({ $0 }) { task.cancel() }
    }

    /// Applies a change of the app's state after the changes of earlier calls.
    func send(_ message: @escaping Message) {
        messages.yield(message)
    }

    /// Waits until the transactions that the queue has announced are delivered or have failed, and the state contains the results; for
    /// tests and background tasks.
    public func waitUntilIdle() async {
        await deliveries.waitUntilIdle()
        await withCheckedContinuation { continuation in send { _ in continuation.resume() } }
    }

    // MARK: - Observing

    /// Starts observing the queue, which then announces the unfinished transactions of earlier app sessions.
    @MainActor
    public func start() {
        let isStarted = announcements.withLock { tasks in
            guard tasks.isEmpty else { return true }
            tasks = postNotifications()
            return false
        }
        guard !isStarted else { return }
        send { purchases in
            await purchases.prepareVault()
            await purchases.parts.importer.confirm()
            await purchases.refresh()
        }
        queue.add(self)
    }

    /// Stops observing the queue; a running restore and the calls that wait for a payment fail.
    public func stop() {
        queue.remove(self)
        restored.receive(.failed(PurchaseFailure(.store, message: "The app stopped the restore.")))
        endPayments()
        let tasks = announcements.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in tasks { task.cancel() }
    }

    // MARK: - Products

    /// Requests the prices and descriptions of products with StoreKit 1.
    ///
    /// - Returns: The products that the store sells, and the invalid identifiers.
    /// - Throws: The failure, which is also posted as ``requestFailed``.
    public func products(_ ids: Set<ProductID>) async throws(PurchaseFailure) -> (products: [SKProduct], invalid: [ProductID]) {
        let ending = await ClassicRequest.run(within: session.deadline, on: session.timer) { delegate in
            let request = SKProductsRequest(productIdentifiers: Set(ids.map(\.rawValue)))
            request.delegate = delegate
            return request
        }
        switch ending {
        case .finished(let response?): return (response.products, response.invalidProductIdentifiers.map { ProductID($0) })
        case .finished(nil), .failed(nil): throw failed(PurchaseFailure(.store))
        case .failed(let failure?): throw failed(failure)
        }
    }

    /// Posts the failure of a request as ``requestFailed``, and returns the failure.
    func failed(_ failure: PurchaseFailure) -> PurchaseFailure {
        send { [weak self] _ in self?.postRequestFailed(failure) }
        return failure
    }

    // MARK: - Buying

    /// Returns a payment for a product.
    ///
    /// - Parameters:
    ///   - product: The product to buy.
    ///   - quantity: The number of units, from 1 to 10.
    ///   - applicationUsername: The app's user, to whose purchases a restore can be limited; nil for the customer of the app's
    ///     ``PurchasesConfiguration``. The App Store signs a name that is a UUID as `appAccountToken`.
    public func payment(for product: SKProduct, quantity: Int = 1, applicationUsername: String? = nil) -> SKPayment {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = applicationUsername ?? session.book.customer?.rawValue
        return payment
    }

    /// Adds a payment to the queue and returns at once; the outcome is announced as an event and a notification.
    ///
    /// Without a network, the payment stays in the queue.
    public func add(_ payment: SKPayment) {
        add(payment, nil)
    }

    /// Adds a payment to the queue, and waits until the purchase is delivered or has failed, without a time limit.
    ///
    /// An unfinished transaction of an earlier payment does not complete this payment, even for the same product.
    public func buy(_ payment: SKPayment) async -> PurchaseOutcome {
        await withCheckedContinuation { add(payment, $0) }
    }

    private func add(_ payment: SKPayment, _ continuation: CheckedContinuation<PurchaseOutcome, Never>?) {
        requests.withLock { $0.add(payment, continuation) }
        sendPurchasing(payment.productIdentifier)
        queue.add(payment)
    }

    /// Adds a product to ``PurchasesState/purchasing`` while a payment for the product has no outcome; removes the product otherwise.
    func sendPurchasing(_ product: String) {
        send { [weak self] purchases in
            let isPurchasing = self?.requests.withLock { $0.isPurchasing(product) } ?? false
            purchases.change {
                if isPurchasing { $0.purchasing.insert(ProductID(product)) } else { $0.purchasing.remove(ProductID(product)) }
            }
        }
    }
}
