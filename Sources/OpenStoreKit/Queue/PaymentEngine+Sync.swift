import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Fetches the unfinished transactions from the store: approved purchases, renewals, and purchases whose response was lost.
    ///
    /// The store also sends the account's storefront, promoted in-app purchases and messages.
    func synchronize() async throws(Stalled) {
        guard let account = session.account else { return }
        // A synchronization that is requested from here on runs after this one.
        needsSync = false
        var request = UnfinishedRequest(appVersion: session.appVersion)
        repeat {
            let reply: UnfinishedReply?
            do {
                reply = try await session.ask(DeviceEndpoints.unfinished, request, as: account)
            } catch .refused(401, _) {
                // The store session has expired; the synchronization runs again after the next sign-in.
                needsSync = true
                return
            } catch let error where error.isRetryable {
                needsSync = true
                throw Stalled()
            } catch {
                logger.notice("the store refused to list the unfinished transactions", metadata: ["reason": "\(error)"])
                return
            }
            guard let reply else { return }
            do {
                try await apply(reply, of: account)
            } catch {
                needsSync = true
                throw error
            }
            request.paginationToken = reply.paginationToken
        } while request.paginationToken != nil
        if await !session.updateReceipt() { needsReceipt = true }
    }

    private func apply(_ reply: UnfinishedReply, of account: AccountID) async throws(Stalled) {
        let declined = PaymentFailure(.paymentCancelled, "A parent declined the purchase.")
        let events: [PaymentQueueMachine.Event] = reply.declined.map { .failed($0, declined) } + (await receivedEvents(reply.transactions))
        let newEvents = events.filter { !machine.decide($0).isEmpty }
        if !newEvents.isEmpty, await !session.refreshReceipt() { needsReceipt = true }
        // If another account has signed in meanwhile, the reply does not apply to it.
        guard account == machine.owner else { return }
        try apply(all: newEvents.filter { !isDeleted($0) })
        if let storefront = reply.storefront, (try? state.update(storefront)) == true {
            for record in machine.records.values where record.state == .queued { paymentsFromOldStorefront.insert(record.id) }
            announce(.storefrontChanged(storefront))
            deviceEvents.storefronts.announce(storefront)
        }
        for promotion in reply.promotions ?? [] {
            guard let pendingDelivery = pendingDelivery(promotion, DeliveryID(name: "promotion-\(promotion.id)", account: account))
            else { continue }
            announce(.promoted(pendingDelivery))
            deviceEvents.promotions.announce(pendingDelivery)
        }
        for message in reply.messages ?? [] {
            guard let pendingDelivery = pendingDelivery(message, DeliveryID(name: "message-\(message.id)", account: account)) else {
                continue
            }
            // An app that listens to messages shows them itself; for other apps the system shows them.
            if !deviceEvents.messages.announce(pendingDelivery) { announce(.message(pendingDelivery)) }
        }
    }

    private func isDeleted(_ event: PaymentQueueMachine.Event) -> Bool {
        guard case .received(_, let transaction, _, _) = event else { return false }
        return deleted.contains(transaction.payload.transactionId)
    }

    /// Returns a value for delivery to the app, or nil if it was delivered in this app session or handled in an earlier one.
    private func pendingDelivery<Value>(_ value: Value, _ deliveryID: DeliveryID) -> PendingDelivery<Value>? {
        // When the journal can't be read, the delivery is repeated.
        guard !deliveredMessages.contains(deliveryID), (try? journal.isAcknowledged(deliveryID)) != true else { return nil }
        deliveredMessages.insert(deliveryID)
        return PendingDelivery(value: value, deliveryID: deliveryID)
    }

    /// Drops the messages and promoted in-app purchases for the previous account; the store sends them again when that account signs in.
    func dropPendingDeliveries() {
        deliveredMessages = []
        deviceEvents.promotions.forget { _ in true }
        deviceEvents.messages.forget { _ in true }
    }

    /// Records that the app has handled a message or a promoted in-app purchase.
    ///
    /// If the journal can't be written, the next launch delivers the message or purchase again.
    func acknowledge(_ deliveryID: DeliveryID) {
        guard !hasEnded else { return }
        deviceEvents.promotions.forget { $0.deliveryID == deliveryID }
        deviceEvents.messages.forget { $0.deliveryID == deliveryID }
        do {
            try journal.acknowledge(deliveryID)
        } catch {
            logger.notice("an acknowledgment can't be written", metadata: ["message": "\(deliveryID.name)", "error": "\(error)"])
        }
    }

    /// Returns the events for transactions from the store; logs and skips transactions that can't be verified.
    func receivedEvents(_ list: [UnfinishedTransaction]) async -> [PaymentQueueMachine.Event] {
        var events: [PaymentQueueMachine.Event] = []
        for element in list {
            do {
                let transaction = try await session.verify(element.signedTransaction)
                var original: VerifiedTransaction?
                if let signed = element.restoredFrom { original = try await session.verify(signed) }
                events.append(.received(element.payment, transaction, restoredFrom: original, content: element.content))
            } catch {
                logger.warning("a transaction from the store can't be verified", metadata: ["reason": "\(error)"])
            }
        }
        return events
    }
}
