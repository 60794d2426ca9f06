import Logging
package import PurchaseModel
package import StoreProtocol
import Synchronization
import Wire

/// The connection between a device and the app's payment queue, which exists as long as either of them.
///
/// Until the app's payment queue is attached, the service stores the payments for it, and behaves as for an app without observers.
package final class PaymentService: Sendable {
    private struct AttachedQueue {
        weak var queue: (any AppPaymentQueue)?
        var isAttached = false
        /// The payments for the queue that will be attached.
        var records: [PaymentID: PaymentQueueRecord] = [:]
        /// The promoted in-app purchases for the queue that will be attached.
        var promotions: [PendingDelivery<PromotedPurchase>] = []

        /// Returns the queue that receives an announcement; stores the announcement and returns nil if no queue was attached yet.
        mutating func receiver(of announcement: Announcement) -> (any AppPaymentQueue)? {
            guard !isAttached else { return queue }
            switch announcement {
            case .updated(let updated): for record in updated { records[record.id] = record }
            case .removed(let removed, _): for id in removed { records[id] = nil }
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
    package let downloads: DownloadCenter
    private let attachedQueue = Mutex(AttachedQueue())
    private let lastTasks = Mutex<[Subject: Task<Void, Never>]>([:])

    /// A subject of work that waits for the store or the user.
    ///
    /// Work about the same subject runs in order. An open sheet delays no work about another subject.
    private enum Subject: CaseIterable {
        case consents
        case offerCodes
        case promotions
    }

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

    /// The app's payment queue; nil until a queue is attached, and after the app has released it.
    var queue: (any AppPaymentQueue)? { attachedQueue.withLock { $0.queue } }

    /// Attaches the app's payment queue, which receives every announcement from then on.
    ///
    /// - Parameter body: Receives the payments to show, oldest first, and the promoted in-app purchases. The closure must not attach
    ///   a queue or deliver an announcement.
    package func attach(_ queue: any AppPaymentQueue, receiving body: ([PaymentQueueRecord], [PendingDelivery<PromotedPurchase>]) -> Void) {
        attachedQueue.withLock { attachedQueue in
            body(attachedQueue.records.values.sorted { $0.sequence < $1.sequence }, attachedQueue.promotions)
            attachedQueue = AttachedQueue(queue: queue, isAttached: true)
        }
    }

    /// Removes every transaction that the app sees in its payment queue.
    func forgetTransactions() {
        attachedQueue.withLock { attachedQueue in
            attachedQueue.records = [:]
            return attachedQueue.queue
        }?.forgetTransactions()
    }

    /// Delivers an announcement to the app; call this method on the callback queue.
    func deliver(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            for record in records { downloads.adopt(record) }
        case .removed(let payments, let reason):
            for download in downloads.release(payments, reason) { queue?.receive(download, notifiesObservers: false) }
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

    /// The identifier of the device.
    package var device: DeviceID { engine.session.state.device }

    /// The account's storefront; nil if no account is signed in.
    package var storefront: PurchaseModel.Storefront? { engine.session.state.session?.storefront }

    /// Starts the engine, which announces the transactions in the journal and in the store.
    package func launch() { engine.inbox.submit(.launch) }

    /// Adds a payment to the payment queue.
    package func add(_ payment: PaymentRequest) { engine.inbox.submit(.add(payment)) }

    /// Finishes a transaction that the app has delivered, or removes a payment that has failed.
    package func finish(_ payment: PaymentID) { engine.inbox.submit(.finish([payment])) }

    /// Restores the purchases of the account.
    ///
    /// - Parameter user: The user whose purchases are restored; nil for all purchases.
    package func restore(_ user: ApplicationUser?) {
        promptLimiter.reportUnlessUserGesture(.restoreWithoutGesture)
        engine.inbox.submit(.restore(user))
    }

    // MARK: - Work that waits for the store or the user

    /// Asks the user to consent to a price increase, and sends the answer to the store; ignores messages for other reasons.
    package func askForPriceConsent(_ message: PendingDelivery<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        enqueue(.consents) { engine in
            // A message for another account is delivered again when that account signs in.
            guard engine.session.state.owner == message.deliveryID.account else { return }
            do throws(PaymentFailure) {
                try await engine.request(launching: false) { (engine) async throws(PaymentFailure) in
                    _ = try await engine.sheets.askForPriceConsent(message.value)
                }
                engine.inbox.submit(.acknowledge(message.deliveryID))
            } catch {
                // The message is not acknowledged: the next launch asks again, because the store does not know the user's answer.
                engine.logger.notice("the store did not accept the answer to a price increase", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Asks the user for an offer code and redeems it in the store; the sheet shows a failure to the user.
    package func redeemOfferCode() {
        enqueue(.offerCodes) { engine in
            do throws(PaymentFailure) {
                guard let code = await engine.interface.offerCode() else { return }
                _ = try await engine.request(launching: false) { (engine) async throws(PaymentFailure) in
                    try await engine.sheets.redeemOfferCode(code)
                }
            } catch {
                engine.logger.notice("an offer code was not redeemed", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Fetches the product of a promoted in-app purchase and passes it to a closure, or nil if the store does not describe the product.
    ///
    /// The closure is not called if another account owns the device by then.
    package func describe(_ promotion: PendingDelivery<PromotedPurchase>, _ body: @escaping @Sendable (StoreProduct?) -> Void) {
        let id = promotion.value.productID
        enqueue(.promotions) { engine in
            let reply = try? await engine.request(launching: false) { (engine) async throws(WireClientError) in
                try await engine.session.products([id])
            }
            // A promoted purchase of another account is delivered again when that account signs in.
            guard engine.session.state.owner == promotion.deliveryID.account else { return }
            body(reply?.products.first { $0.id == id })
        }
    }

    /// Records that the app has handled a message or a promoted in-app purchase.
    package func acknowledge(_ deliveryID: DeliveryID) { engine.inbox.submit(.acknowledge(deliveryID)) }

    /// Runs asynchronous work after all work about the same subject that was enqueued earlier, off the callback queue.
    private func enqueue(_ subject: Subject, _ body: @escaping @Sendable (PaymentEngine) async -> Void) {
        lastTasks.withLock { [engine] tasks in
            let before = tasks[subject]
            tasks[subject] = Task {
                await before?.value
                await body(engine)
            }
        }
    }

    /// Waits until all announcements are delivered to the app, all enqueued work is done, and all changes of downloads are written.
    func drain() async {
        await callbacks.drain()
        for subject in Subject.allCases { await lastTasks.withLock { $0[subject] }?.value }
        // The end of a download is announced after it is written, and its callback can change the downloads again.
        await downloads.flush()
        await callbacks.drain()
        await downloads.flush()
    }
}
