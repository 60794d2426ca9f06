import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Fetches what changed in the account's history, beside everything else; who asks while it runs has it run once more.
    func startCatchingUp() {
        wantsHistory = true
        guard launched, !ended, session.isSignedIn, catchingUp == nil else { return }
        catchingUp = Task { [weak self] in await self?.catchUpWhileWanted() }
    }

    private func catchUpWhileWanted() async {
        defer { catchingUp = nil }
        while wantsHistory, !ended {
            wantsHistory = false
            await catchUp()
        }
    }

    private func catchUp() async {
        guard let account = session.account, !ended else { return }
        do {
            var cursor = try journal.cursor(of: account)
            let isFirst = cursor == nil
            var hasMore = true
            var unproven: [TransactionID: PurchasesReply.Purchase] = [:]
            while hasMore, !ended {
                let request = PurchasesRequest(after: cursor)
                guard let reply = try await session.ask(DeviceEndpoints.purchases, request, as: account) else { return }
                let page = await page(reply.transactions)
                guard account == machine.owner else { return }
                if reply.startsOver == true { try journal.forgetHistory(of: account) }
                unproven.merge(page.unproven) { _, newer in newer }
                // What can't be verified is not kept: from the first such page on, all is asked for again the next time.
                let next = unproven.isEmpty ? reply.cursor : nil
                // Every question of the app comes here: while there is nothing new, nothing is written.
                if !page.entries.isEmpty || (next != nil && next != cursor) {
                    let news = try journal.take(page.entries, cursor: next, of: account)
                    // What was delivered before this device knew the account is no news.
                    tell(of: isFirst ? news.filter(\.isUnfinished) : news)
                }
                if !reply.hasMore { try await take(reply.statuses, of: account) }
                hasMore = reply.hasMore && reply.cursor != cursor
                cursor = reply.cursor
            }
            self.unproven = unproven
        } catch {
            logger.notice("the history can't be brought up to date", metadata: ["reason": "\(error)"])
        }
    }

    /// What a page says, and what of it can't be verified; what can't even be read is passed over.
    private nonisolated func page(
        _ purchases: [PurchasesReply.Purchase]
    ) async -> (entries: [Journal.Entry], unproven: [TransactionID: PurchasesReply.Purchase]) {
        var entries: [Journal.Entry] = []
        var unproven: [TransactionID: PurchasesReply.Purchase] = [:]
        for purchase in purchases {
            do {
                entries.append(Journal.Entry(purchase: purchase, payload: try await session.verify(purchase.transaction).payload))
            } catch {
                logger.warning("a transaction of the history can't be verified", metadata: ["reason": "\(error)"])
                if let id = purchase.transaction.unverifiedPayload?.transactionId { unproven[id] = purchase }
            }
        }
        return (entries, unproven)
    }

    private func tell(of changes: [Journal.News]) {
        var revoked: [ProductID] = []
        for change in changes {
            switch change {
            case .new(let entry):
                // What this device bought is told as it enters the queue.
                guard !machine.holds(entry.id), !entry.purchase.isFinished else { continue }
                // Should it enter the queue after this, it is no news.
                answered.insert(entry.id)
                news.updates.tell(entry.purchase.transaction)
            case .changed(let entry):
                news.updates.tell(entry.purchase.transaction)
                let product = entry.payload.productId
                if entry.isRevoked, !revoked.contains(product) { revoked.append(product) }
            }
        }
        if !revoked.isEmpty { tell(.revoked(revoked)) }
    }

    private func take(_ statuses: [PurchasesReply.Status], of account: AccountID) async throws {
        let before = try journal.statuses(of: account)
        guard before != statuses else { return }
        try journal.set(statuses, of: account)
        for status in statuses {
            let known = before.first { $0.group == status.group && $0.status == status.status }
            if let known, await says(known, theSameAs: status) { continue }
            news.statuses.tell(status)
        }
    }

    /// Takes over how a subscription stands after its customer has changed it; the history says the same later.
    func take(_ status: PurchasesReply.Status) async {
        guard let account = machine.owner, let id = status.transaction.unverifiedPayload?.originalTransactionId,
            var statuses = try? journal.statuses(of: account),
            let index = statuses.firstIndex(where: { $0.transaction.unverifiedPayload?.originalTransactionId == id })
        else { return }
        statuses[index] = status
        do {
            try await take(statuses, of: account)
        } catch {
            logger.notice("the state of a subscription can't be kept", metadata: ["error": "\(error)"])
        }
    }

    /// Whether two states say the same, whenever they were signed.
    private nonisolated func says(_ one: PurchasesReply.Status, theSameAs other: PurchasesReply.Status) async -> Bool {
        guard var first = try? await session.dataVerifier.verify(one.renewalInfo).payload,
            let second = try? await session.dataVerifier.verify(other.renewalInfo).payload,
            let old = try? await session.verify(one.transaction).payload.transactionId,
            let new = try? await session.verify(other.transaction).payload.transactionId
        else { return false }
        first.signedDate = second.signedDate
        // Each copy is bound to the device anew.
        first.deviceVerification = second.deviceVerification
        first.deviceVerificationNonce = second.deviceVerificationNonce
        return first == second && old == new
    }

    /// The account's history, brought up to date when the store can be reached; what can't be verified comes last.
    ///
    /// A transaction that was verified once is shown as it was then until a newer state can be verified.
    func purchases(_ selection: HistorySelection) async -> [PurchasesReply.Purchase] {
        await upToDate()
        guard let account = machine.owner else { return [] }
        let unproven = unproven.filter { selection.mayMean($0.key) && (try? journal.knows($0.key, of: account)) != true }
        return ((try? journal.purchases(of: account, selection)) ?? []) + unproven.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The states of the account's subscriptions.
    func statuses() async -> [PurchasesReply.Status] {
        await upToDate()
        guard let account = machine.owner else { return [] }
        return (try? journal.statuses(of: account)) ?? []
    }

    /// A store that could not be reached for a while is not waited for: what is known is the answer.
    func upToDate() async {
        guard retry == nil || attempt < 3 else { return }
        startCatchingUp()
        await catchingUp?.value
    }

    /// Fetches everything on the user's wish; what goes wrong is told, and not only tried again.
    func synchronizeOnRequest() async throws(PaymentFailure) {
        try await refreshReceipt(ReceiptRequest())
        wantsSync = true
        wantsRetry = true
        attempt = 0
        startPass()
        await pass?.value
        await upToDate()
    }

    /// That the account got the app: anew on the user's wish; otherwise as it was last told, unless the app was updated since.
    ///
    /// Only a wish asks for a sign-in.
    func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        let request = AppTransactionRequest(appVersion: session.appVersion)
        if refreshing { return await keep(try await require(DeviceEndpoints.appTransaction, request)) }
        let known = state.appTransaction
        if let known, version(of: known) == session.appVersion { return known }
        let account = session.account
        do throws(WireClientError) {
            let reply = try await session.ask(DeviceEndpoints.appTransaction, request, as: account)
            if let reply, machine.owner == account { return await keep(reply) }
        } catch .refused(401, _) {
            // The session has ended.
        } catch {
            guard known != nil else { throw PaymentFailure(error) }
        }
        guard let known = state.appTransaction else { throw PaymentFailure(.unknown, "Nobody is signed in.") }
        return known
    }

    private func keep(_ reply: AppTransactionReply) async -> SignedAppTransaction {
        // One that can't be verified is shown and not kept; one that can't be kept is fetched again.
        if (try? await session.dataVerifier.verify(reply.appTransaction)) != nil { try? state.keep(reply.appTransaction) }
        return reply.appTransaction
    }

    /// The version of the app that it states; who reads it verifies it.
    private func version(of appTransaction: SignedAppTransaction) -> String? {
        appTransaction.unverifiedPayload?.applicationVersion
    }
}
