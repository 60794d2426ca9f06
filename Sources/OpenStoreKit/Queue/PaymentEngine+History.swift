import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Fetches the changes of the account's history concurrently with other work; a call while a fetch runs schedules one more fetch.
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
                // Entries that can't be verified are not stored: the cursor stays at the first page with such an entry, and the next
                // fetch repeats it.
                let next = unproven.isEmpty ? reply.cursor : nil
                // Every history request of the app reaches this line: without changes, nothing is written.
                if !page.entries.isEmpty || (next != nil && next != cursor) {
                    let news = try journal.take(page.entries, cursor: next, of: account)
                    // A transaction that was finished before this device knew the account is not reported.
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

    /// The verified and unverified entries of a page; entries that can't be decoded are skipped.
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
                // A purchase of this device is reported when it enters the queue.
                guard !machine.holds(entry.id), !entry.purchase.isFinished else { continue }
                report(entry.id, entry.purchase.transaction)
            case .changed(let entry):
                news.updates.tell(entry.purchase.transaction)
                let product = entry.payload.productId
                if entry.isRevoked, !revoked.contains(product) { revoked.append(product) }
            }
        }
        if !revoked.isEmpty { tell(.revoked(revoked)) }
    }

    /// Reports a transaction that no payment of this device has led to.
    ///
    /// While a payment may still receive the transaction, the transaction is withheld: an app that finished it as an update would leave
    /// the payment without its transaction.
    func report(_ id: TransactionID, _ signed: SignedTransaction) {
        guard !isAwaited(signed) else {
            withheld.insert(id)
            return
        }
        // The transaction is not reported again if it enters the queue later.
        answered.insert(id)
        news.updates.tell(signed)
    }

    /// Whether an open payment may have led to a transaction; the payload is decoded only while there is such a payment.
    func isAwaited(_ signed: SignedTransaction) -> Bool {
        guard machine.nextPayment != nil, let payload = signed.unverifiedPayload else { return false }
        return machine.awaits(payload)
    }

    /// Reports the withheld transactions that no payment has received.
    func reportWithheld() {
        guard !withheld.isEmpty, !ended else { return }
        let waiting = withheld
        withheld = []
        for (id, signed) in unfinishedElsewhere where waiting.contains(id) && !answered.contains(id) { report(id, signed) }
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

    /// Stores the state of a subscription after its customer has changed it; the history reports the same state later.
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

    /// Whether two states are equal, regardless of the time of signing.
    private nonisolated func says(_ one: PurchasesReply.Status, theSameAs other: PurchasesReply.Status) async -> Bool {
        guard var first = try? await session.dataVerifier.verify(one.renewalInfo).payload,
            let second = try? await session.dataVerifier.verify(other.renewalInfo).payload,
            let old = try? await session.verify(one.transaction).payload.transactionId,
            let new = try? await session.verify(other.transaction).payload.transactionId
        else { return false }
        first.signedDate = second.signedDate
        // Each signed copy is bound to the device with a new nonce.
        first.deviceVerification = second.deviceVerification
        first.deviceVerificationNonce = second.deviceVerificationNonce
        return first == second && old == new
    }

    /// The account's history, updated first when the store can be reached; entries that can't be verified come last.
    ///
    /// A transaction that was verified once is returned in its last verified state until a newer state can be verified.
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

    /// Fetches the changes of the history, unless the store was unreachable for a while: then the stored history is the answer.
    func upToDate() async {
        guard retry == nil || attempt < 3 else { return }
        startCatchingUp()
        await catchingUp?.value
    }

    /// Fetches all changes at the user's request, and throws on failure instead of only retrying.
    func synchronizeOnRequest() async throws(PaymentFailure) {
        try await refreshReceipt(ReceiptRequest())
        wantsSync = true
        wantsRetry = true
        attempt = 0
        startPass()
        await pass?.value
        await upToDate()
    }

    /// The app transaction: fetched at the user's request, otherwise the stored one unless the app was updated since.
    ///
    /// Only a request of the user asks for a sign-in.
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
            // The store session has expired.
        } catch {
            guard known != nil else { throw PaymentFailure(error) }
        }
        guard let known = state.appTransaction else { throw PaymentFailure(.unknown, "Nobody is signed in.") }
        return known
    }

    private func keep(_ reply: AppTransactionReply) async -> SignedAppTransaction {
        // An app transaction that can't be verified is returned and not stored; one that can't be stored is fetched again.
        if (try? await session.dataVerifier.verify(reply.appTransaction)) != nil { try? state.keep(reply.appTransaction) }
        return reply.appTransaction
    }

    /// The app version in an unverified app transaction; the reader of the app transaction verifies it.
    private func version(of appTransaction: SignedAppTransaction) -> String? {
        appTransaction.unverifiedPayload?.applicationVersion
    }
}
