import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Starts to fetch the changes of the account's history; a call during a fetch schedules one more fetch.
    func startHistoryUpdate() {
        needsHistoryUpdate = true
        guard isLaunched, !hasEnded, session.isSignedIn, historyUpdate == nil else { return }
        historyUpdate = Task { [weak self] in await self?.updateHistoryWhileNeeded() }
    }

    private func updateHistoryWhileNeeded() async {
        defer { historyUpdate = nil }
        while needsHistoryUpdate, !hasEnded {
            needsHistoryUpdate = false
            await updateHistory()
        }
    }

    private func updateHistory() async {
        guard let account = session.account, !hasEnded else { return }
        do {
            var cursor = try journal.cursor(of: account)
            let isFirst = cursor == nil
            var hasMore = true
            var unverifiedPurchases: [TransactionID: HistoryReply.Purchase] = [:]
            while hasMore, !hasEnded {
                let request = HistoryRequest(revision: cursor)
                guard let reply = try await session.ask(DeviceEndpoints.history, request, as: account) else { return }
                let page = await page(reply.transactions)
                guard account == machine.owner else { return }
                if reply.replacesHistory == true { try journal.forgetHistory(of: account) }
                unverifiedPurchases.merge(page.unverifiedPurchases) { _, newer in newer }
                // Entries that can't be verified are not stored: the cursor stays at the first page with such an entry, and the next
                // fetch repeats it.
                let next = unverifiedPurchases.isEmpty ? reply.revision : nil
                // Every history request of the app runs this code. Without changes, the journal is not written.
                if !page.entries.isEmpty || (next != nil && next != cursor) {
                    let changes = try journal.apply(page.entries, cursor: next, of: account)
                    // The first fetch for an account reports only unfinished transactions.
                    announce(of: isFirst ? changes.filter(\.isUnfinished) : changes)
                }
                if !reply.hasMore { try await apply(reply.statuses, of: account) }
                hasMore = reply.hasMore && reply.revision != cursor
                cursor = reply.revision
            }
            self.unverifiedPurchases = unverifiedPurchases
        } catch {
            logger.notice("the transaction history can't be updated; the stored history stays in use", metadata: ["reason": "\(error)"])
        }
    }

    /// Verifies the entries of a page, and returns the verified and the unverified ones; skips entries that can't be decoded.
    private nonisolated func page(
        _ purchases: [HistoryReply.Purchase]
    ) async -> (entries: [Journal.Entry], unverifiedPurchases: [TransactionID: HistoryReply.Purchase]) {
        var entries: [Journal.Entry] = []
        var unverifiedPurchases: [TransactionID: HistoryReply.Purchase] = [:]
        for purchase in purchases {
            do {
                entries.append(Journal.Entry(purchase: purchase, payload: try await session.verify(purchase.signedTransaction).payload))
            } catch {
                logger.warning("a transaction in the history can't be verified and is not stored", metadata: ["reason": "\(error)"])
                if let id = purchase.signedTransaction.unverifiedPayload?.transactionId { unverifiedPurchases[id] = purchase }
            }
        }
        return (entries, unverifiedPurchases)
    }

    private func announce(of changes: [Journal.HistoryChange]) {
        var revoked: [ProductID] = []
        for change in changes {
            switch change {
            case .new(let entry):
                // A transaction of this device is reported when it enters the payment queue.
                guard !machine.contains(entry.id), !entry.purchase.isFinished else { continue }
                report(entry.id, entry.purchase.signedTransaction)
            case .changed(let entry):
                deviceEvents.updates.announce(entry.purchase.signedTransaction)
                let product = entry.payload.productId
                if entry.isRevoked, !revoked.contains(product) { revoked.append(product) }
            }
        }
        if !revoked.isEmpty { announce(.revoked(revoked)) }
    }

    /// Reports a transaction from outside the payment queue to the listeners for transaction updates.
    ///
    /// While a payment may still receive the transaction, the transaction is withheld: an app that finished it as an update would leave the
    /// payment without its transaction.
    func report(_ id: TransactionID, _ signed: SignedTransaction) {
        guard !isAwaited(signed) else {
            withheld.insert(id)
            return
        }
        // The transaction is not reported again if it enters the payment queue later.
        deliveredTransactions.insert(id)
        deviceEvents.updates.announce(signed)
    }

    /// Returns whether a transaction may result from an open payment.
    ///
    /// The payload is decoded only while there is an open payment.
    func isAwaited(_ signed: SignedTransaction) -> Bool {
        guard machine.nextPayment != nil, let payload = signed.unverifiedPayload else { return false }
        return machine.awaits(payload)
    }

    /// Reports the withheld transactions that no payment has received.
    func reportWithheld() {
        guard !withheld.isEmpty, !hasEnded else { return }
        let waiting = withheld
        withheld = []
        for (id, signed) in unfinishedElsewhere where waiting.contains(id) && !deliveredTransactions.contains(id) { report(id, signed) }
    }

    private func apply(_ statuses: [HistoryReply.Status], of account: AccountID) async throws {
        let before = try journal.statuses(of: account)
        guard before != statuses else { return }
        try journal.set(statuses, of: account)
        for status in statuses {
            let known = before.first { $0.group == status.group && $0.status == status.status }
            if let known, await isUnchanged(known, from: status) { continue }
            deviceEvents.statuses.announce(status)
        }
    }

    /// Stores the new state of a subscription that the customer has changed; the history reports the same state later.
    func apply(_ status: HistoryReply.Status) async {
        guard let account = machine.owner, let id = status.signedTransaction.unverifiedPayload?.originalTransactionId,
            var statuses = try? journal.statuses(of: account),
            let index = statuses.firstIndex(where: { $0.signedTransaction.unverifiedPayload?.originalTransactionId == id })
        else { return }
        statuses[index] = status
        do {
            try await apply(statuses, of: account)
        } catch {
            logger.notice("the status of a subscription can't be saved", metadata: ["error": "\(error)"])
        }
    }

    /// Returns whether two states of a subscription are equal, apart from the time of signing and the nonce of the device.
    private nonisolated func isUnchanged(_ one: HistoryReply.Status, from other: HistoryReply.Status) async -> Bool {
        guard var first = try? await session.dataVerifier.verify(one.signedRenewalInfo).payload,
            let second = try? await session.dataVerifier.verify(other.signedRenewalInfo).payload,
            let old = try? await session.verify(one.signedTransaction).payload.transactionId,
            let new = try? await session.verify(other.signedTransaction).payload.transactionId
        else { return false }
        first.signedDate = second.signedDate
        // Each signed copy is bound to the device with a new nonce.
        first.deviceVerification = second.deviceVerification
        first.deviceVerificationNonce = second.deviceVerificationNonce
        return first == second && old == new
    }

    /// Fetches changes from the store, and returns the account's transactions that pass a filter; unverified transactions come last.
    ///
    /// A transaction that was verified before is returned in its last verified form until a newer form can be verified.
    func purchases(_ selection: HistorySelection) async -> [HistoryReply.Purchase] {
        await refreshHistory()
        guard let account = machine.owner else { return [] }
        let unverifiedPurchases = unverifiedPurchases.filter {
            selection.mayMatch($0.key) && (try? journal.contains($0.key, of: account)) != true
        }
        return ((try? journal.purchases(of: account, selection)) ?? []) + unverifiedPurchases.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Fetches changes from the store, and returns the states of the account's subscriptions.
    func statuses() async -> [HistoryReply.Status] {
        await refreshHistory()
        guard let account = machine.owner else { return [] }
        return (try? journal.statuses(of: account)) ?? []
    }

    /// Fetches the changes of the account's history, unless the last three attempts to reach the store have failed.
    func refreshHistory() async {
        guard retry == nil || attempt < 3 else { return }
        startHistoryUpdate()
        await historyUpdate?.value
    }

    /// Fetches the receipt and all changes from the store at the user's request.
    ///
    /// - Throws: ``PaymentFailure`` if the receipt can't be fetched.
    func synchronizeOnRequest() async throws(PaymentFailure) {
        try await refreshReceipt(ReceiptRequest())
        needsSync = true
        needsRetry = true
        attempt = 0
        startPass()
        await pass?.value
        await refreshHistory()
    }

    /// Returns the account's app transaction.
    ///
    /// The app transaction is fetched if the user requests it, or if the stored one is missing or is for another version of the app.
    ///
    /// - Parameter refreshing: Whether the user requests the latest app transaction, and is asked to sign in if no account is signed in.
    func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        let request = AppTransactionRequest(appVersion: session.appVersion)
        if refreshing { return await save(try await require(DeviceEndpoints.appTransaction, request)) }
        let known = state.appTransaction
        if let known, version(of: known) == session.appVersion { return known }
        let account = session.account
        do throws(WireClientError) {
            let reply = try await session.ask(DeviceEndpoints.appTransaction, request, as: account)
            if let reply, machine.owner == account { return await save(reply) }
        } catch .refused(401, _) {
            // The store session has expired.
        } catch {
            guard known != nil else { throw PaymentFailure(error) }
        }
        guard let known = state.appTransaction else { throw PaymentFailure(.unknown, "No account is signed in. Sign in and try again.") }
        return known
    }

    private func save(_ reply: AppTransactionReply) async -> SignedAppTransaction {
        // An app transaction that can't be verified is returned and not stored. An app transaction that can't be stored is fetched again at
        // the next call.
        if (try? await session.dataVerifier.verify(reply.signedAppTransaction)) != nil { try? state.save(reply.signedAppTransaction) }
        return reply.signedAppTransaction
    }

    /// Returns the app version in an app transaction, without verifying the signature; the reader of the app transaction verifies it.
    private func version(of appTransaction: SignedAppTransaction) -> String? {
        appTransaction.unverifiedPayload?.applicationVersion
    }
}
