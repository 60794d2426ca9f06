import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Fetches the transactions that the store holds for this device: approvals, renewals, and purchases whose response was lost.
    func synchronize() async throws(Stalled) {
        guard let account = session.account else { return }
        // A request from here on schedules another synchronization.
        wantsSync = false
        var request = UnfinishedRequest(appVersion: session.appVersion)
        repeat {
            let reply: UnfinishedReply?
            do {
                reply = try await session.ask(DeviceEndpoints.unfinished, request, as: account)
            } catch .refused(401, _) {
                // The store session has expired; the synchronization runs again after the next sign-in.
                wantsSync = true
                return
            } catch let error where error.isPassing {
                wantsSync = true
                throw Stalled()
            } catch {
                logger.notice("the store refused to list transactions", metadata: ["reason": "\(error)"])
                return
            }
            guard let reply else { return }
            do {
                try await take(reply, of: account)
            } catch {
                wantsSync = true
                throw error
            }
            request.after = reply.next
        } while request.after != nil
        if await !session.updateReceipt() { wantsReceipt = true }
    }

    private func take(_ reply: UnfinishedReply, of account: AccountID) async throws(Stalled) {
        let declined = PaymentFailure(.paymentCancelled, "The purchase was declined.")
        let events: [PaymentQueueMachine.Event] = reply.declined.map { .failed($0, declined) } + (await held(reply.transactions))
        let news = events.filter { !machine.decide($0).isEmpty }
        if !news.isEmpty, await !session.refreshReceipt() { wantsReceipt = true }
        // An account that has signed in meanwhile has its own list.
        guard account == machine.owner else { return }
        try take(all: news.filter { !isDeleted($0) })
        if let storefront = reply.storefront, (try? state.move(to: storefront)) == true {
            for record in machine.records.values where record.state == .queued { moved.insert(record.id) }
            tell(.storefrontChanged(storefront))
            self.news.storefronts.tell(storefront)
        }
        for promotion in reply.promotions ?? [] {
            guard let pendingDeliveries = pendingDeliveries(promotion, DeliveryID(name: "promotion-\(promotion.id)", account: account))
            else { continue }
            tell(.promoted(pendingDeliveries))
            self.news.promotions.tell(pendingDeliveries)
        }
        for message in reply.messages ?? [] {
            guard let pendingDeliveries = pendingDeliveries(message, DeliveryID(name: "message-\(message.id)", account: account)) else {
                continue
            }
            // An app that listens to messages shows them itself; for other apps the system shows them.
            if !self.news.messages.tell(pendingDeliveries) { tell(.message(pendingDeliveries)) }
        }
    }

    private func isDeleted(_ event: PaymentQueueMachine.Event) -> Bool {
        guard case .held(_, let transaction, _, _) = event else { return false }
        return deleted.contains(transaction.payload.transactionId)
    }

    /// A pending delivery of a value; nil when it was delivered in this app session, or handled by the app in an earlier one.
    private func pendingDeliveries<Value>(_ value: Value, _ deliveryID: DeliveryID) -> PendingDelivery<Value>? {
        // A journal that can't be read causes a repeated delivery.
        guard !told.contains(deliveryID), (try? journal.isRemembered(deliveryID)) != true else { return nil }
        told.insert(deliveryID)
        return PendingDelivery(value: value, deliveryID: deliveryID)
    }

    /// Drops the pending deliveries of another account; the store sends them again when that account signs in.
    func forgetPendingDeliveries() {
        told = []
        news.promotions.forget { _ in true }
        news.messages.forget { _ in true }
    }

    /// Remembers that the app has handled a message; when that fails, the next launch delivers the message again.
    func remember(_ deliveryID: DeliveryID) {
        guard !ended else { return }
        news.promotions.forget { $0.deliveryID == deliveryID }
        news.messages.forget { $0.deliveryID == deliveryID }
        do {
            try journal.remember(deliveryID)
        } catch {
            logger.notice("what the app was told can't be remembered", metadata: ["matter": "\(deliveryID.name)", "error": "\(error)"])
        }
    }

    /// Events for those transactions of a list whose signature by the store is verified.
    func held(_ list: [UnfinishedTransaction]) async -> [PaymentQueueMachine.Event] {
        var events: [PaymentQueueMachine.Event] = []
        for element in list {
            do {
                let transaction = try await session.verify(element.transaction)
                var original: VerifiedTransaction?
                if let signed = element.restoredFrom { original = try await session.verify(signed) }
                events.append(.held(element.payment, transaction, restoredFrom: original, content: element.content))
            } catch {
                logger.warning("a transaction of the store was refused", metadata: ["reason": "\(error)"])
            }
        }
        return events
    }
}
