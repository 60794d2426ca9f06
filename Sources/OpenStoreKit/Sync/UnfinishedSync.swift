import Logging
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Wire

/// Fetches the unfinished transactions from the store: approved purchases, renewals, and purchases whose response was lost.
///
/// A new device also receives transactions that another device of the account has not finished. It can be the same phone after an erase,
/// and paid consumables must not be lost.
///
/// The store also sends the account's storefront, promoted in-app purchases and messages.
final class UnfinishedSync {
    private let queue: PaymentQueue
    private let session: StoreSession
    private let processor: PaymentProcessor
    private let deliveries: PendingDeliveries
    private let deviceEvents: DeviceEvents
    private let runner: WorkRunner
    private let logger: Logger
    /// The transactions that a test session has deleted from the store; the response to an earlier request may still contain them.
    private var deleted: Set<TransactionID> = []

    init(
        queue: PaymentQueue, session: StoreSession, processor: PaymentProcessor, deliveries: PendingDeliveries, deviceEvents: DeviceEvents,
        runner: WorkRunner, logger: Logger
    ) {
        self.queue = queue
        self.session = session
        self.processor = processor
        self.deliveries = deliveries
        self.deviceEvents = deviceEvents
        self.runner = runner
        self.logger = logger
    }

    /// Fetches all pages of the list.
    func run() async throws(PaymentQueue.Stalled) {
        guard let account = session.account else { return }
        var request = UnfinishedRequest(appVersion: session.appVersion)
        repeat {
            let reply: UnfinishedReply?
            do {
                reply = try await session.ask(DeviceEndpoints.unfinished, request, as: account)
            } catch .refused(401, _) {
                // The store session has expired; the next sign-in causes a synchronization.
                return
            } catch let error where error.isRetryable {
                throw PaymentQueue.Stalled()
            } catch {
                logger.notice("the store refused to list the unfinished transactions", metadata: ["reason": "\(error)"])
                return
            }
            guard let reply else { return }
            try await apply(reply, of: account)
            request.paginationToken = reply.paginationToken
        } while request.paginationToken != nil
        if await !session.updateReceipt() { runner.handle(.receiptNeeded) }
    }

    private func apply(_ reply: UnfinishedReply, of account: AccountID) async throws(PaymentQueue.Stalled) {
        let declined = PaymentFailure(.paymentCancelled, "A parent declined the purchase.")
        let received = await session.receivedEvents(reply.transactions, logger)
        let events: [PaymentQueueMachine.Event] = reply.declined.map { .failed($0, declined) } + received
        let newEvents = events.filter { !queue.machine.ignores($0) }
        if !newEvents.isEmpty, await !session.refreshReceipt() { runner.handle(.receiptNeeded) }
        // If another account has signed in meanwhile, the reply does not apply to it.
        guard account == queue.machine.owner else { return }
        try queue.apply(newEvents.filter { !isDeleted($0) })
        if let storefront = reply.storefront, (try? session.state.update(storefront)) == true {
            processor.storefrontChanged()
            queue.announce(.storefrontChanged(storefront))
            deviceEvents.storefronts.announce(storefront)
        }
        deliveries.announce(reply.promotions ?? [], reply.messages ?? [], of: account)
    }

    private func isDeleted(_ event: PaymentQueueMachine.Event) -> Bool {
        guard case .received(_, let transaction, _, _) = event else { return false }
        return deleted.contains(transaction.payload.transactionId)
    }

    /// Removes transactions that a test session has deleted from the store.
    func forget(_ transactions: [TransactionID]) {
        deleted.formUnion(transactions)
        queue.finish(transactions.compactMap { queue.machine.record(of: $0)?.id })
    }
}

extension StoreSession {
    /// Returns the events for transactions from the store; logs and skips transactions that can't be verified.
    ///
    /// The transactions are verified in Swift's thread pool, because the engine's thread serves the app meanwhile.
    @concurrent nonisolated func receivedEvents(_ list: [UnfinishedTransaction], _ logger: Logger) async -> [PaymentQueueMachine.Event] {
        var events: [PaymentQueueMachine.Event] = []
        for element in list {
            do {
                let transaction = try await verify(element.signedTransaction)
                var original: VerifiedTransaction?
                if let signed = element.restoredFrom { original = try await verify(signed) }
                events.append(.received(element.payment, transaction, restoredFrom: original, content: element.content))
            } catch {
                logger.warning("a transaction from the store can't be verified", metadata: ["reason": "\(error)"])
            }
        }
        return events
    }
}
