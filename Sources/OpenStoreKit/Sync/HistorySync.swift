import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Wire

/// The account's transaction history and subscriptions: fetches the changes from the store, and reads the stored history.
final class HistorySync {
    private let queue: PaymentQueue
    private let session: StoreSession
    private let updates: TransactionUpdates
    private let deviceEvents: DeviceEvents
    private let logger: Logger
    private var journal: Journal { queue.journal }
    /// The latest entries of the owner's history that can't be verified; they are returned as unverified and never stored.
    private var unverifiedPurchases: [TransactionID: HistoryReply.Purchase] = [:]

    init(queue: PaymentQueue, session: StoreSession, updates: TransactionUpdates, deviceEvents: DeviceEvents, logger: Logger) {
        self.queue = queue
        self.session = session
        self.updates = updates
        self.deviceEvents = deviceEvents
        self.logger = logger
    }

    /// Fetches the changes of the account's history.
    func run() async {
        guard let account = session.account, !queue.isClosed else { return }
        do {
            var cursor = try journal.cursor(of: account)
            let isFirst = cursor == nil
            var hasMore = true
            var unverifiedPurchases: [TransactionID: HistoryReply.Purchase] = [:]
            while hasMore, !queue.isClosed {
                let request = HistoryRequest(revision: cursor)
                guard let reply = try await session.ask(DeviceEndpoints.history, request, as: account) else { return }
                let page = await session.page(reply.transactions, logger)
                guard account == queue.machine.owner, !queue.isClosed else { return }
                let isReplaced = reply.replacesHistory == true
                unverifiedPurchases.merge(page.unverifiedPurchases) { _, newer in newer }
                // Entries that can't be verified are not stored: the cursor stays at the first page with such an entry, and the next
                // fetch repeats it.
                let next = unverifiedPurchases.isEmpty ? reply.revision : nil
                // Every history request of the app runs this code. Without changes, the journal is not written.
                if isReplaced || !page.entries.isEmpty || (next != nil && next != cursor) {
                    let changes = try journal.apply(page.entries, cursor: next, of: account, replacing: isReplaced)
                    // The first fetch for an account reports only unfinished transactions.
                    announce(isFirst ? changes.filter(\.isUnfinished) : changes)
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

    private func announce(_ changes: [Journal.HistoryChange]) {
        var revoked: [ProductID] = []
        for change in changes {
            switch change {
            case .new(let entry):
                // A transaction of this device is reported when it enters the payment queue.
                guard !queue.machine.contains(entry.id), !entry.purchase.isFinished else { continue }
                updates.report(entry.id, entry.purchase.signedTransaction)
            case .changed(let entry):
                updates.announce(entry.purchase.signedTransaction)
                let product = entry.payload.productId
                if entry.isRevoked, !revoked.contains(product) { revoked.append(product) }
            }
        }
        if !revoked.isEmpty { queue.announce(.revoked(revoked)) }
    }

    private func apply(_ statuses: [HistoryReply.Status], of account: AccountID) async throws {
        let before = try journal.statuses(of: account)
        guard before != statuses else { return }
        try journal.set(statuses, of: account)
        for status in statuses {
            let known = before.first { $0.group == status.group && $0.status == status.status }
            if let known, await session.isUnchanged(known, from: status) { continue }
            deviceEvents.statuses.announce(status)
        }
    }

    /// Stores the new state of a subscription that the customer has changed; the history reports the same state later.
    func apply(_ status: HistoryReply.Status) async {
        guard let account = queue.machine.owner, let id = status.signedTransaction.unverifiedPayload?.originalTransactionId,
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

    /// Returns the account's transactions that pass a filter; unverified transactions come last.
    ///
    /// A transaction that was verified before is returned in its last verified form until a newer form can be verified.
    func purchases(_ selection: HistorySelection) -> [HistoryReply.Purchase] {
        guard let account = queue.machine.owner else { return [] }
        let unverifiedPurchases = unverifiedPurchases.filter {
            selection.mayMatch($0.key) && (try? journal.contains($0.key, of: account)) != true
        }
        return ((try? journal.purchases(of: account, selection)) ?? []) + unverifiedPurchases.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the states of the account's subscriptions.
    func statuses() -> [HistoryReply.Status] {
        guard let account = queue.machine.owner else { return [] }
        return (try? journal.statuses(of: account)) ?? []
    }

    /// Drops the unverified transactions of the previous account.
    func ownerChanged() {
        unverifiedPurchases = [:]
    }
}

extension StoreSession {
    /// Verifies the entries of a page, and returns the verified and the unverified ones; skips entries that can't be decoded.
    @concurrent fileprivate nonisolated func page(
        _ purchases: [HistoryReply.Purchase], _ logger: Logger
    ) async -> (entries: [Journal.Entry], unverifiedPurchases: [TransactionID: HistoryReply.Purchase]) {
        var entries: [Journal.Entry] = []
        var unverifiedPurchases: [TransactionID: HistoryReply.Purchase] = [:]
        for purchase in purchases {
            do {
                entries.append(Journal.Entry(purchase: purchase, payload: try await verify(purchase.signedTransaction).payload))
            } catch {
                logger.warning("a transaction in the history can't be verified and is not stored", metadata: ["reason": "\(error)"])
                if let id = purchase.signedTransaction.unverifiedPayload?.transactionId { unverifiedPurchases[id] = purchase }
            }
        }
        return (entries, unverifiedPurchases)
    }

    /// Returns whether two states of a subscription are equal, apart from the time of signing and the nonce of the device.
    fileprivate nonisolated func isUnchanged(_ one: HistoryReply.Status, from other: HistoryReply.Status) async -> Bool {
        guard var first = try? await dataVerifier.verify(one.signedRenewalInfo).payload,
            let second = try? await dataVerifier.verify(other.signedRenewalInfo).payload,
            let old = try? await verify(one.signedTransaction).payload.transactionId,
            let new = try? await verify(other.signedTransaction).payload.transactionId
        else { return false }
        first.signedDate = second.signedDate
        // Each signed copy is bound to the device with a new nonce.
        first.deviceVerification = second.deviceVerification
        first.deviceVerificationNonce = second.deviceVerificationNonce
        return first == second && old == new
    }
}
