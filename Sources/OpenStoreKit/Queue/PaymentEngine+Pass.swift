import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import WireClient

extension PaymentEngine {
    /// Starts to work off what is open, or has the pass that is running go on.
    func startPass() {
        wantsPass = true
        guard launched, !ended, pass == nil else { return }
        retry?.cancel()
        retry = nil
        pass = Task { [weak self] in
            await self?.runPasses()
        }
    }

    private func runPasses() async {
        defer { pass = nil }
        while wantsPass, !ended {
            wantsPass = false
            wantsRetry = false
            do throws(Stalled) {
                try await workOff()
                attempt = 0
            } catch {
                // Whoever has asked for it meanwhile knows that the network is back.
                guard wantsRetry else { return scheduleRetry() }
            }
        }
    }

    private func scheduleRetry() {
        guard !ended else { return }
        attempt += 1
        let delay = retryPolicy.delay(beforeAttempt: attempt)
        retry = Task { [weak self, clock] in
            try? await clock.sleep(for: delay)
            guard !Task.isCancelled else { return }
            await self?.startPass()
        }
    }

    private func workOff() async throws(Stalled) {
        if wantsSync, session.isSignedIn { try await synchronise() }
        while !ended {
            if let record = machine.nextPayment {
                try await work(on: record)
            } else if session.isSignedIn, let record = machine.nextFinish {
                try await tellFinished(record)
            } else {
                break
            }
        }
        if wantsReceipt, session.isSignedIn {
            // Once for all that was finished: with each one, the effort would grow with the square of their number.
            guard await session.refreshReceipt() else { throw Stalled() }
            wantsReceipt = false
        }
    }

    private func work(on record: PaymentRecord) async throws(Stalled) {
        if case .queued = record.state {
            try await askUser(record)
        } else {
            try await send(record)
        }
    }

    private func askUser(_ record: PaymentRecord) async throws(Stalled) {
        guard !state.settings.restrictsPayments else { return try take(.failed(record.id, PaymentFailure(.paymentNotAllowed))) }
        guard (1...10).contains(record.quantity) else {
            return try take(.failed(record.id, PaymentFailure(.paymentInvalid, "The quantity is not from 1 to 10.")))
        }
        let product: StoreProduct?
        do {
            product = try await description(of: record)
        } catch let error where error.isPassing {
            throw Stalled()
        } catch {
            return try take(.failed(record.id, PaymentFailure(error)))
        }
        guard let product else { return try take(.failed(record.id, PaymentFailure(.storeProductNotAvailable))) }
        let yes = await interface.confirm(ConfirmationSheet(product, quantity: record.quantity))
        try take(.confirmed(record.id, yes))
    }

    private func description(of record: PaymentRecord) async throws(WireClientError) -> StoreProduct? {
        if let product = record.product { return product }
        let reply = try await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [record.productID]))
        return reply.products.first { $0.id == record.productID }
    }

    private func send(_ record: PaymentRecord) async throws(Stalled) {
        let reply: PurchaseReply?
        do {
            let request = PurchaseRequest(
                payment: record.id,
                productID: record.productID,
                quantity: record.quantity,
                // Any text is allowed as a username; only a UUID comes back as a token.
                appAccountToken: record.username.map { CustomerID($0) }.flatMap { $0.isWellFormed ? $0 : nil }
            )
            reply = try await ask(DeviceEndpoints.purchase, request)
        } catch let error where error.isPassing {
            throw Stalled()
        } catch {
            return try take(.failed(record.id, PaymentFailure(error)))
        }
        switch reply {
        case nil:
            try take(.failed(record.id, PaymentFailure(.paymentCancelled)))
        case .purchased(let signed, _):
            guard let transaction = await verified(signed, for: record) else {
                return try take(.failed(record.id, PaymentFailure(.unknown, "The store's answer could not be verified.")))
            }
            // The receipt comes before the news: an app that hears of a purchase looks into the receipt at once.
            if await !session.refreshReceipt() { wantsReceipt = true }
            try take(.held(record.id, transaction, restoredFrom: nil))
            if machine.records[record.id]?.isToBeSent == true {
                // The transaction answers another payment already; asking again would bring it again, for ever.
                try take(.failed(record.id, PaymentFailure(.unknown, "The store answered with a purchase that is known already.")))
            }
        case .deferred:
            try take(.deferred(record.id))
        case .refused(let code, let message):
            try take(.failed(record.id, PaymentFailure(SKError.Code(rawValue: code) ?? .unknown, message)))
        }
    }

    /// The transaction when the store signed it for this payment; otherwise the payment has failed.
    ///
    /// A purchase that was paid all the same is not lost: the store goes on listing it as unfinished.
    private func verified(_ signed: SignedTransaction, for record: PaymentRecord) async -> VerifiedTransaction? {
        do {
            let transaction = try await session.verify(signed)
            if record.isAnswered(by: transaction.payload) { return transaction }
            logger.warning("the store answered with another purchase", metadata: ["payment": "\(record.id)"])
        } catch {
            logger.warning("the store's answer was refused", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
        }
        return nil
    }

    private func tellFinished(_ record: PaymentRecord) async throws(Stalled) {
        guard let transaction = record.transactionID else { return try take(.acknowledged(record.id)) }
        do {
            _ = try await session.askSignedIn(DeviceEndpoints.finish, FinishRequest(transaction: transaction))
            wantsReceipt = true
        } catch .refused(401, _) {
            // The session has ended. It is told after the next sign-in; nobody is asked to sign in for this.
            return
        } catch let error where error.isPassing {
            throw Stalled()
        } catch {
            // The store does not know the transaction, so there is nothing to finish there.
            logger.notice("the store refused a finish", metadata: ["transaction": "\(transaction)", "reason": "\(error)"])
        }
        try take(.acknowledged(record.id))
    }

    // MARK: - What the store holds

    /// Takes over what the store holds for this device: approvals, renewals, and purchases whose answer was lost.
    private func synchronise() async throws(Stalled) {
        let reply: UnfinishedReply
        do {
            reply = try await session.askSignedIn(DeviceEndpoints.unfinished, UnfinishedRequest())
        } catch .refused(401, _) {
            // The session has ended; the next sign-in asks again.
            return
        } catch let error where error.isPassing {
            throw Stalled()
        } catch {
            logger.notice("the store refused to list transactions", metadata: ["reason": "\(error)"])
            wantsSync = false
            return
        }
        let declined = PaymentFailure(.paymentCancelled, "The purchase was declined.")
        let events: [PaymentQueueMachine.Event] = reply.declined.map { .failed($0, declined) } + (await held(reply.transactions))
        let news = events.filter { !machine.decide($0).isEmpty }
        if !news.isEmpty, await !session.refreshReceipt() { wantsReceipt = true }
        try take(all: news)
        wantsSync = false
    }

    /// The transactions of a list that the store has really signed.
    func held(_ list: [UnfinishedTransaction]) async -> [PaymentQueueMachine.Event] {
        var events: [PaymentQueueMachine.Event] = []
        for element in list {
            do {
                let transaction = try await session.verify(element.transaction)
                guard let signedOriginal = element.restoredFrom else {
                    events.append(.held(element.payment, transaction, restoredFrom: nil))
                    continue
                }
                events.append(.held(element.payment, transaction, restoredFrom: try await session.verify(signedOriginal)))
            } catch {
                logger.warning("a transaction of the store was refused", metadata: ["reason": "\(error)"])
            }
        }
        return events
    }
}
