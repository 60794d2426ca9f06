import Logging
package import PurchaseModel
package import PurchaseProtocol
import Synchronization

/// The device's side of the app's payment queue, which lives as long as the device or the queue.
///
/// Until a queue is attached, the service stores the queue's records, and behaves as for an app without observers.
package final class PaymentService: Sendable {
    private struct AttachedQueue {
        weak var queue: (any AppPaymentQueue)?
        var isAttached = false
        /// The records that the app will see in its queue.
        var records: [PaymentID: PaymentRecord] = [:]
        /// The promoted purchases that the user began outside the app.
        var promotions: [PendingDelivery<PromotedPurchase>] = []

        /// The queue that receives an announcement; nil when the announcement is stored for the queue that will be attached.
        mutating func receiver(of announcement: Announcement) -> (any AppPaymentQueue)? {
            guard !isAttached else { return queue }
            switch announcement {
            case .updated(let updated): for record in updated { records[record.id] = record }
            case .removed(let removed): for id in removed { records[id] = nil }
            case .promoted(let promotion): promotions.append(promotion)
            case .restoreFinished, .restoreFailed, .revoked, .storefrontChanged, .message: break
            }
            return nil
        }
    }

    /// The queue on which observers and delegates are called.
    package let callbacks: CallbackQueue
    let engine: PaymentEngine
    let promptLimiter: PromptLimiter
    let downloads: DownloadCenter
    private let attachedQueue = Mutex(AttachedQueue())
    private let lastTask = Mutex<Task<Void, Never>?>(nil)

    init(engine: PaymentEngine, promptLimiter: PromptLimiter, downloads: DownloadCenter, callbacks: CallbackQueue) {
        self.engine = engine
        self.promptLimiter = promptLimiter
        self.downloads = downloads
        self.callbacks = callbacks
        engine.app.connect(to: self)
    }

    deinit {
        engine.close()
        downloads.close()
    }

    // MARK: - To the app

    /// The app's queue; nil until one is attached.
    var queue: (any AppPaymentQueue)? { attachedQueue.withLock { $0.queue } }

    /// Attaches the app's queue, which receives every announcement from then on.
    ///
    /// - Parameter body: Receives the records that the queue has to show, oldest first, and the promoted purchases; must not call the
    ///   service.
    package func attach(_ queue: any AppPaymentQueue, receiving body: ([PaymentRecord], [PendingDelivery<PromotedPurchase>]) -> Void) {
        attachedQueue.withLock { attachedQueue in
            body(attachedQueue.records.values.sorted { $0.sequence < $1.sequence }, attachedQueue.promotions)
            attachedQueue = AttachedQueue(queue: queue, isAttached: true)
        }
    }

    /// Removes every transaction that the app sees in its queue.
    func forgetTransactions() {
        attachedQueue.withLock { attachedQueue in
            attachedQueue.records = [:]
            return attachedQueue.queue
        }?.forgetTransactions()
    }

    /// Delivers an announcement to the app; runs on the callback queue.
    func deliver(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            for record in records { downloads.adopt(record) }
        case .removed(let payments):
            for download in downloads.release(payments, owner: owner) { queue?.receive(download, notifiesObservers: false) }
        case .restoreFinished, .restoreFailed, .revoked, .storefrontChanged, .promoted, .message:
            break
        }
        if let queue = attachedQueue.withLock({ $0.receiver(of: announcement) }) {
            queue.receive(announcement)
        } else if case .message(let message) = announcement {
            askForPriceConsent(message)
        }
    }

    // MARK: - From the app

    /// The account that owns the queue.
    private var owner: AccountID? { engine.state.owner }

    /// The device.
    package var device: DeviceID { engine.state.device }

    /// The account's storefront; nil when it is not known yet.
    package var storefront: PurchaseModel.Storefront? { engine.state.session?.storefront }

    /// Starts the engine, which announces the transactions in the journal and in the store.
    package func launch() { engine.submit(.launch) }

    /// Adds a payment.
    package func add(_ payment: PaymentRequest) { engine.submit(.add(payment)) }

    /// Removes a transaction that was delivered, or a payment that has failed.
    package func finish(_ payment: PaymentID) { engine.submit(.finish(payment)) }

    /// Restores the account's purchases; all, or those with one application username.
    package func restore(_ user: ApplicationUser?) {
        promptLimiter.reportUnlessUserGesture(.restoreWithoutGesture)
        engine.submit(.restore(user))
    }

    /// The download of the content that the store hosts for a transaction; nil when there is none.
    package func download(of transaction: TransactionID) -> DownloadRecord? { downloads.record(of: transaction) }

    /// Starts or continues the downloads of the content that the store hosts for transactions.
    package func start(_ transactions: [TransactionID]) { downloads.handle(.start, of: transactions) }

    /// Pauses downloads.
    package func pause(_ transactions: [TransactionID]) { downloads.handle(.pause, of: transactions) }

    /// Resumes paused downloads.
    package func resume(_ transactions: [TransactionID]) { downloads.handle(.resume, of: transactions) }

    /// Cancels downloads.
    package func cancel(_ transactions: [TransactionID]) { downloads.handle(.cancel, of: transactions) }

    // MARK: - Work that waits for the store or the user

    /// Asks the user to consent to a price increase, and sends the answer to the store; other messages ask nothing.
    package func askForPriceConsent(_ message: PendingDelivery<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        enqueue { engine in
            // A message for another account is delivered again when that account signs in.
            guard engine.state.owner == message.deliveryID.account else { return }
            do throws(PaymentFailure) {
                try await engine.askForPriceConsent(message.value)
                engine.submit(.acknowledge(message.deliveryID))
            } catch {
                // The message is not acknowledged: the next launch asks again, because the store does not know the user's answer.
                engine.logger.notice("the store did not accept the answer to a price increase", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Asks the user for an offer code and redeems it in the store; the sheet shows a failure to the user.
    package func redeemOfferCode() {
        enqueue { engine in
            do throws(PaymentFailure) {
                try await engine.redeemOfferCode()
            } catch {
                engine.logger.notice("an offer code was not redeemed", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Fetches the product of a promoted purchase and passes it to `body`; nil when the store does not describe the product.
    package func describe(_ promotion: PendingDelivery<PromotedPurchase>, _ body: @escaping @Sendable (StoreProduct?) -> Void) {
        let id = promotion.value.productID
        enqueue { engine in
            let reply = try? await engine.session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [id]))
            // A promoted purchase of another account is delivered again when that account signs in.
            guard engine.state.owner == promotion.deliveryID.account else { return }
            body(reply?.products.first { $0.id == id })
        }
    }

    /// Acknowledges a message that the app has received and handled.
    package func acknowledge(_ deliveryID: DeliveryID) { engine.submit(.acknowledge(deliveryID)) }

    /// Runs work after all earlier work, off the callback queue.
    private func enqueue(_ body: @escaping @Sendable (PaymentEngine) async -> Void) {
        lastTask.withLock { [engine] task in
            let before = task
            task = Task {
                await before?.value
                await body(engine)
            }
        }
    }

    /// Returns when all announcements were delivered to the app, and all work begun so far is done.
    func drain() async {
        await callbacks.drain()
        await lastTask.withLock { $0 }?.value
        await callbacks.drain()
    }
}
