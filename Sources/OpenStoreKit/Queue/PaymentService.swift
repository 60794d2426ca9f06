import Logging
package import PurchaseModel
package import PurchaseProtocol
import Synchronization

/// What a device does for its app's payment queue; there as long as the device or the queue is.
///
/// Until a queue is attached, it keeps what that will have to show, and does what is done for an app without observers.
package final class PaymentService: Sendable {
    private struct Front {
        weak var queue: (any AppQueue)?
        var isAttached = false
        /// What the app will see in its queue.
        var records: [PaymentID: PaymentRecord] = [:]
        /// What the user chose outside the app.
        var promotions: [PendingDelivery<PromotedPurchase>] = []

        /// Who hears of it; nil when it is kept for the queue that will be attached.
        mutating func receiver(of announcement: Announcement) -> (any AppQueue)? {
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

    /// Where the app is called.
    package let callbacks: CallbackQueue
    let engine: PaymentEngine
    let attention: UserAttention
    let downloads: DownloadCenter
    private let front = Mutex(Front())
    private let lastWork = Mutex<Task<Void, Never>?>(nil)

    init(engine: PaymentEngine, attention: UserAttention, downloads: DownloadCenter, callbacks: CallbackQueue) {
        self.engine = engine
        self.attention = attention
        self.downloads = downloads
        self.callbacks = callbacks
        engine.app.lead(to: self)
    }

    deinit {
        engine.close()
        downloads.close()
    }

    // MARK: - To the app

    /// The app's queue; nil until one is attached.
    var queue: (any AppQueue)? { front.withLock { $0.queue } }

    /// Attaches the app's queue, which hears everything from then on.
    ///
    /// - Parameter body: Takes over what the queue has to show, oldest first, and what the user chose outside the app; must not call the
    ///   service.
    package func attach(_ queue: any AppQueue, taking body: ([PaymentRecord], [PendingDelivery<PromotedPurchase>]) -> Void) {
        front.withLock { front in
            body(front.records.values.sorted { $0.sequence < $1.sequence }, front.promotions)
            front = Front(queue: queue, isAttached: true)
        }
    }

    /// Has everything forgotten that the app sees in its queue.
    func forgetTransactions() {
        front.withLock { front in
            front.records = [:]
            return front.queue
        }?.forgetTransactions()
    }

    /// Tells the app; runs on the callback queue.
    func deliver(_ announcement: Announcement) {
        switch announcement {
        case .updated(let records):
            for record in records { downloads.adopt(record) }
        case .removed(let payments):
            for download in downloads.leave(payments, owner: owner) { queue?.receive(download, isNews: false) }
        case .restoreFinished, .restoreFailed, .revoked, .storefrontChanged, .promoted, .message:
            break
        }
        if let queue = front.withLock({ $0.receiver(of: announcement) }) {
            queue.receive(announcement)
        } else if case .message(let message) = announcement {
            askConsent(message)
        }
    }

    // MARK: - From the app

    /// Whose queue it is.
    private var owner: AccountID? { engine.state.owner }

    /// The device.
    package var device: DeviceID { engine.state.device }

    /// The country's store that the account buys in; nil when that is not known yet.
    package var storefront: PurchaseModel.Storefront? { engine.state.session?.storefront }

    /// What the journal and the store hold for the app is told from now on.
    package func launch() { engine.submit(.launch) }

    /// Adds a payment.
    package func add(_ payment: PaymentRequest) { engine.submit(.add(payment)) }

    /// Takes out a transaction that was delivered, or has failed.
    package func finish(_ payment: PaymentID) { engine.submit(.finish(payment)) }

    /// Restores what the account has bought, of one customer or of all.
    package func restore(_ customer: ApplicationUser?) {
        attention.isAsked(.restoreWithoutGesture)
        engine.submit(.restore(customer))
    }

    /// How the download of what the store hosts for a transaction stands; nil for none.
    package func download(of transaction: TransactionID) -> DownloadRecord? { downloads.record(of: transaction) }

    /// Begins or goes on to fetch what the store hosts for transactions.
    package func start(_ transactions: [TransactionID]) { downloads.handle(.start, of: transactions) }

    /// Lets downloads rest.
    package func pause(_ transactions: [TransactionID]) { downloads.handle(.pause, of: transactions) }

    /// Goes on with downloads that rest.
    package func resume(_ transactions: [TransactionID]) { downloads.handle(.resume, of: transactions) }

    /// Ends downloads.
    package func cancel(_ transactions: [TransactionID]) { downloads.handle(.cancel, of: transactions) }

    // MARK: - Work that waits for the store or the user

    /// Asks the user about a price increase, and tells the store what they said; there is nothing to ask about other messages.
    package func askConsent(_ message: PendingDelivery<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        work { engine in
            // Another account's question comes again with that account.
            guard engine.state.owner == message.deliveryID.account else { return }
            do throws(PaymentFailure) {
                try await engine.askConsent(message.value)
                engine.submit(.told(message.deliveryID))
            } catch {
                // Not told: the next launch asks again, because the store does not know what the user has said.
                engine.logger.notice("the store did not take the answer to a higher price", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Asks the user for an offer code and has the store redeem it; the user sees what goes wrong.
    package func redeemOfferCode() {
        work { engine in
            do throws(PaymentFailure) {
                try await engine.redeemOfferCode()
            } catch {
                engine.logger.notice("an offer code was not redeemed", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Fetches the description of what the user chose outside the app, and hands it on; nil where the store does not describe it.
    package func describe(_ promotion: PendingDelivery<PromotedPurchase>, _ body: @escaping @Sendable (StoreProduct?) -> Void) {
        let id = promotion.value.productID
        work { engine in
            let reply = try? await engine.session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [id]))
            // What another account's user chose comes again with that account.
            guard engine.state.owner == promotion.deliveryID.account else { return }
            body(reply?.products.first { $0.id == id })
        }
    }

    /// The app was told of a matter and has dealt with it.
    package func acknowledge(_ deliveryID: DeliveryID) { engine.submit(.told(deliveryID)) }

    /// Runs work after what was begun before, away from the callback queue.
    private func work(_ body: @escaping @Sendable (PaymentEngine) async -> Void) {
        lastWork.withLock { [engine] work in
            let before = work
            work = Task {
                await before?.value
                await body(engine)
            }
        }
    }

    /// Returns when the app was told everything, and the work that was begun so far is done.
    func drain() async {
        await callbacks.drain()
        await lastWork.withLock { $0 }?.value
        await callbacks.drain()
    }
}
