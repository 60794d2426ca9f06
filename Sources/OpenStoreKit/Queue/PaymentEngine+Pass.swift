import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import Synchronization
import WireClient

extension PaymentEngine {
    /// Starts a pass over the open payments, or extends the pass that is running.
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
        defer {
            pass = nil
            reportWithheld()
        }
        while wantsPass, !ended {
            wantsPass = false
            wantsRetry = false
            do throws(Stalled) {
                try await workOff()
                attempt = 0
            } catch {
                releaseCalls()
                // A retry that was requested meanwhile means that the network is available again.
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
        if wantsSync, session.isSignedIn {
            startWatching()
            try await synchronize()
            // The history does not report transactions that are in the queue by then.
            startCatchingUp()
        }
        while !ended {
            if let record = machine.nextPayment {
                try await work(on: record)
            } else if session.account != nil, session.account == machine.owner, machine.nextFinish != nil {
                try await tellFinished(machine.nextFinishes(FinishRequest.limit))
            } else {
                break
            }
        }
        if wantsReceipt, session.isSignedIn {
            // One receipt refresh for all finished transactions: a refresh for each one would make the effort grow with the square of
            // their number.
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

    /// Whether a payment continues after the account's storefront has changed.
    private func goesOn(_ id: PaymentID) async -> Bool {
        guard moved.contains(id), let storefront = session.state.session?.storefront else { return true }
        guard await app.shouldContinue(id, in: storefront) else { return false }
        moved.remove(id)
        return true
    }

    private func askUser(_ record: PaymentRecord) async throws(Stalled) {
        guard await goesOn(record.id) else { return try take(.failed(record.id, PaymentFailure(.storeProductNotAvailable))) }
        guard !state.settings.restrictsPayments else { return try take(.failed(record.id, PaymentFailure(.paymentNotAllowed))) }
        guard (1...10).contains(record.quantity) else {
            return try take(.failed(record.id, PaymentFailure(.paymentInvalid, "The quantity is not from 1 to 10.")))
        }
        guard let sheet = try await sheet(for: record) else { return }
        try take(.confirmed(record.id, await interface.confirm(sheet)))
    }

    /// Asks a child whether to request a parent's approval (Ask to Buy); the payment is then sent again.
    private func askPermission(_ record: PaymentRecord) async throws(Stalled) {
        guard !agreed.contains(record.id) else {
            return try take(.failed(record.id, PaymentFailure(.unknown, "The store asks for a permission that it has.")))
        }
        guard let sheet = try await sheet(for: record) else { return }
        guard await interface.askPermission(sheet) else { return try take(.failed(record.id, PaymentFailure(.paymentCancelled))) }
        agreed.insert(record.id)
    }

    /// The confirmation sheet of a payment; nil when the payment has failed because the store does not sell the product.
    private func sheet(for record: PaymentRecord) async throws(Stalled) -> ConfirmationSheet? {
        do {
            if let product = try await description(of: record) { return ConfirmationSheet(product, quantity: record.quantity) }
            try take(.failed(record.id, PaymentFailure(.storeProductNotAvailable)))
        } catch let error as WireClientError {
            guard !error.isPassing else { throw Stalled() }
            try take(.failed(record.id, PaymentFailure(error)))
        } catch { throw Stalled() }
        return nil
    }

    private func description(of record: PaymentRecord) async throws(WireClientError) -> StoreProduct? {
        // A purchase call needs the store's current product description for the sheet; without a reachable store there is no sheet.
        if let product = record.product, record.isCall != true { return product }
        let reply = try await session.products([record.productID])
        return reply.products.first { $0.id == record.productID }
    }

    private func send(_ record: PaymentRecord) async throws(Stalled) {
        let answer: Answer<PurchaseReply>
        do throws(WireClientError) {
            let user = ApplicationUser(record.username)
            let request = PurchaseRequest(
                payment: record.id,
                productID: record.productID,
                quantity: record.quantity,
                appAccountToken: user?.token,
                offer: record.offer,
                simulatesAskToBuy: record.simulatesAskToBuy,
                returnsHeld: record.isCall,
                applicationUsername: user?.username,
                agreesToAsk: agreed.contains(record.id)
            )
            answer = try await ask(DeviceEndpoints.purchase, request, about: record.id)
        } catch {
            guard !error.isPassing else { throw Stalled() }
            return try take(.failed(record.id, PaymentFailure(error)))
        }
        switch answer {
        case .response(let reply): try await take(reply, to: record)
        case .cancelled: try take(.failed(record.id, PaymentFailure(.paymentCancelled)))
        // The payment waits until its own account signs in again; while the change of account can't be written, all payments wait.
        case .anotherAccount where machine.nextPayment?.id == record.id: throw Stalled()
        case .anotherAccount: break
        }
    }

    private func take(_ reply: PurchaseReply, to record: PaymentRecord) async throws(Stalled) {
        if reply != .permissionNeeded { agreed.remove(record.id) }
        switch reply {
        case .purchased(let signed, let content):
            guard let transaction = try await verified(signed, for: record) else { return }
            // The receipt is stored before the transaction is announced, because an app reads the receipt as soon as it is notified.
            if await !session.refreshReceipt() { wantsReceipt = true }
            // Without its payment the transaction would be attributed to the owner; the store keeps listing it for its own account.
            guard record.account == machine.owner || machine.records[record.id]?.isUnderWay == true else { return }
            try take(.held(record.id, transaction, restoredFrom: nil, content: content))
            if machine.records[record.id]?.isToBeSent == true {
                // The transaction already belongs to another payment; sending this payment again would return the same transaction
                // forever. A purchase call returns the transaction once more.
                answer(record.id, .purchased(transaction))
                try take(.failed(record.id, PaymentFailure(.unknown, "The store answered with a purchase that is known already.")))
            }
        case .deferred:
            try take(.deferred(record.id))
        case .permissionNeeded:
            try await askPermission(record)
        case .refused(let code, let message):
            let failure = PaymentFailure(domain: PaymentFailure.storeKitDomain, code: code, message: message)
            try take(.failed(record.id, failure))
        }
    }

    /// The verified transaction when the store signed it for this payment; otherwise the payment has failed.
    ///
    /// A purchase that was nevertheless charged is not lost, because the store keeps listing it as unfinished.
    private func verified(_ signed: SignedTransaction, for record: PaymentRecord) async throws(Stalled) -> VerifiedTransaction? {
        do throws(VerificationFailure) {
            let transaction = try await session.verify(signed)
            if record.isAnswered(by: transaction.payload) { return transaction }
            logger.warning("the store answered with another purchase", metadata: ["payment": "\(record.id)"])
        } catch {
            logger.warning("the store's answer was refused", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
            // A purchase call returns the unverified transaction to its caller.
            answer(record.id, .unverified(signed, error))
        }
        try take(.failed(record.id, PaymentFailure(.unknown, "The store's answer could not be verified.")))
        return nil
    }

    private func tellFinished(_ records: [PaymentRecord]) async throws(Stalled) {
        let ids = records.compactMap(\.transactionID)
        guard let first = ids.first else { return }
        do {
            let request = FinishRequest(transaction: first, further: ids.count > 1 ? Array(ids.dropFirst()) : nil)
            guard try await session.ask(DeviceEndpoints.finish, request, as: machine.owner) != nil else { return }
            wantsReceipt = true
        } catch .refused(401, _) {
            // The store session has expired. The finish is sent after the next sign-in; a finish alone never asks for a sign-in.
            return
        } catch let error where error.isPassing {
            throw Stalled()
        } catch  where records.count > 1 {
            // The store does not know one of the transactions; sending them one by one skips only that one.
            for record in records { try await tellFinished([record]) }
            return
        } catch {
            // The store does not know the transaction, so the store has nothing to finish.
            logger.notice("the store refused a finish", metadata: ["transaction": "\(first)", "reason": "\(error)"])
        }
        try take(all: records.map { .acknowledged($0.id) })
    }
}
