import Foundation
public import PurchaseModel
import PurchaseProof
import StoreKit

extension PaymentObserver {
    /// The name under which the vault stores the reason for an incomplete restore.
    private static let reasonName = "tillroll.restore"

    /// Restores purchases with StoreKit 1, in response to a person's gesture, because the App Store may ask for the password.
    ///
    /// The App Store creates a new transaction for each purchase that can be restored, and the observer holds the transactions until the
    /// person has chosen products. The chosen products are delivered from the original transactions, and add no credits. The restored
    /// transactions of other products are finished without a delivery. Restored transactions that remain from an earlier app session are
    /// part of the choice.
    ///
    /// A call while a restore is running, also one of ``Purchases/restore(choose:)``, joins that restore, and has the same outcome. After
    /// ``PurchasesConfiguration/restoreDeadline`` without an answer, the outcome is a failure; transactions that arrive later are kept
    /// until the next restore.
    ///
    /// - Parameters:
    ///   - reason: The reason for the restore, such as `"download again"`. The reason is stored until the restore is complete, so that a
    ///     later app session can continue with ``restoreReason()``.
    ///   - applicationUsername: The user to whose purchases the restore is limited; nil for all purchases.
    ///   - choose: Returns the products that the person chose, before anything is delivered.
    public func restore(
        reason: String? = nil, applicationUsername: String? = nil,
        choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
    ) async -> RestoreOutcome {
        await purchases.restoreOnce { [self] in
            await keep(reason)
            let outcome = await runRestore(applicationUsername, choose)
            restored.end()
            announceRestored()
            await keep(nil)
            if case .failed(let failure) = outcome { _ = failed(failure) }
            return outcome
        }
    }

    /// Returns the reason for a running restore, or for a restore that an earlier app session did not complete; nil without a reason.
    public func restoreReason() async -> String? {
        await Self.reason(in: session.vault)
    }

    static func reason(in vault: Vault) async -> String? {
        guard let data = await vault.contents.values[OpaqueText(reasonName)], !data.isEmpty else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private func keep(_ reason: String?) async {
        let data = Data((reason ?? "").utf8)
        _ = try? await session.vault.change { (contents) throws(VaultError) in
            (contents.values[OpaqueText(Self.reasonName)] ?? Data()) == data ? [] : [.value(Self.reasonName, data)]
        }
    }

    // MARK: - One restore

    private func runRestore(
        _ username: String?, _ choose: @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
    ) async -> RestoreOutcome {
        var before = await session.snapshot()
        let outcome = await firstOutcome(within: session.deadline, on: session.timer) { [self] in
            await restored.ending { [queue] in
                if let username {
                    queue.restoreCompletedTransactions(withApplicationUsername: username)
                } else {
                    queue.restoreCompletedTransactions()
                }
            }
        }
        switch outcome ?? nil {
        case .finished: break
        case .failed(let failure): return failure.map { .failed($0) } ?? .canceled
        case nil: return .failed(PurchaseFailure(.network))
        }
        // Add the queue's transactions, because the queue can announce the end of a restore before the last transactions.
        restored.keep(queue.transactions.filter { $0.transactionState == .restored })
        let offer = await offer(restored.all, of: username)
        for transaction in offer.unrelated { queue.finishTransaction(transaction) }
        let chosen = offer.products.isEmpty ? [] : await choose(offer.products)
        restored.markOffered()
        for (product, purchases) in offer.purchases where !chosen.contains(product) {
            for purchase in purchases { purchase.finish(queue) }
        }
        before.delivered = Set(offer.products.filter(\.isDelivered).map(\.productID))
        var difference = await session.restore(chosen, of: offer.products, before: before) { [session, queue] product in
            var results: [FulfillmentResult] = []
            for purchase in offer.purchases[product] ?? [] {
                results.append(
                    await session.engine.fulfill(
                        IncomingTransaction(signed: purchase.signed, isRestored: !purchase.isUnfinished) { purchase.finishAll(queue) }))
            }
            return results
        }
        difference.undelivered += offer.unresolved
        guard !offer.purchases.isEmpty || !offer.unresolved.isEmpty || !difference.lost.isEmpty || !difference.balances.isEmpty else {
            return .nothingToRestore(unreachable: [])
        }
        return .completed(difference)
    }

    /// A purchase that can be restored, with its restored transactions.
    private struct Restored: Sendable {
        /// The original transaction; for a subscription, the transaction of the latest period.
        var signed: SignedTransaction
        var payload: TransactionPayload
        /// Whether the original transaction is unfinished; its delivery then counts as a purchase, not as a restore.
        var isUnfinished: Bool
        var transactions: [SKPaymentTransaction]

        func finish(_ queue: SKPaymentQueue) {
            for transaction in transactions { queue.finishTransaction(transaction) }
        }

        /// Finishes the restored transactions, and the original transaction if it is unfinished, for example after a canceled download.
        func finishAll(_ queue: SKPaymentQueue) {
            finish(queue)
            for transaction in queue.transactions
            where transaction.transactionState == .purchased && transaction.transactionIdentifier == payload.transactionId.rawValue {
                queue.finishTransaction(transaction)
            }
        }
    }

    /// The restored transactions, grouped by product for the person's choice.
    private struct Offer: Sendable {
        var products: [RestorableProduct] = []
        /// The purchases of each product, in the order of the queue.
        var purchases: [ProductID: [Restored]] = [:]
        /// The transactions to finish without a delivery: revoked transactions and, without a server, transactions of other customers.
        var unrelated: [SKPaymentTransaction] = []
        /// The products whose restored transactions stay in the queue, because the transactions can't be verified.
        var unresolved: [ProductID] = []
    }

    @concurrent
    private func offer(_ transactions: [SKPaymentTransaction], of username: String?) async -> Offer {
        _ = await session.reader.readAll()
        let unfinished = transactions.isEmpty ? [] : await lookup.unfinished()
        let originals = await verified(transactions)
        let contents = await session.vault.contents
        let user = username.flatMap { UUID(uuidString: $0)?.uuidString.lowercased() }
        var offer = Offer()
        var (order, indices): ([ProductID], [ProductID: [TransactionID: Int]]) = ([], [:])
        for transaction in transactions {
            guard let original = originals[ObjectIdentifier(transaction)] else {
                let product = ProductID(transaction.payment.productIdentifier)
                if !offer.unresolved.contains(product) { offer.unresolved.append(product) }
                continue
            }
            let payload = original.payload
            // Skip transactions of other users, which an earlier restore may have left in the queue. A transaction states the username only
            // if the name is a UUID.
            if let user, payload.appAccountToken?.rawValue.lowercased() != user { continue }
            // Offer purchases of other customers if the app has a server, which decides whether the purchases move.
            guard !payload.isRevoked, session.sources.contains(.server) || contents.belongs(payload, to: session.book.customer) else {
                offer.unrelated.append(transaction)
                continue
            }
            let (product, first) = (payload.productId, payload.originalTransactionId)
            var purchase = Restored(
                signed: original.original, payload: payload, isUnfinished: unfinished.contains(payload.transactionId),
                transactions: [transaction])
            guard let index = indices[product]?[first] else {
                if offer.purchases[product] == nil { order.append(product) }
                indices[product, default: [:]][first] = offer.purchases[product]?.count ?? 0
                offer.purchases[product, default: []].append(purchase)
                continue
            }
            // Deliver the latest period, because a subscription has a restored transaction for each period.
            guard let known = offer.purchases[product]?[index] else { continue }
            if payload.purchaseDate <= known.payload.purchaseDate { purchase = known }
            purchase.transactions = known.transactions + [transaction]
            offer.purchases[product]?[index] = purchase
        }
        offer.products = order.map { product in
            let payloads = (offer.purchases[product] ?? []).map(\.payload)
            let latest = payloads.map(\.purchaseDate).max() ?? Timestamp(milliseconds: 0)
            return RestorableProduct(
                productID: product, purchaseDate: latest.date, until: payloads.compactMap(\.expiresDate).max()?.date,
                isDelivered: payloads.allSatisfy { contents.delivered.contains($0.transactionId) }, sources: [.store],
                isOfOtherCustomer: payloads.contains { !contents.belongs($0, to: session.book.customer) })
        }
        return offer
    }

    /// Returns the verified original transaction of each restored transaction, and omits transactions that can't be verified.
    @concurrent
    private func verified(_ transactions: [SKPaymentTransaction]) async -> [ObjectIdentifier: VerifiedTransaction] {
        // Look in the vault first, because the vault contains StoreKit's history, which the caller has read.
        let contents = await session.vault.contents
        var verified: [ObjectIdentifier: VerifiedTransaction] = [:]
        var missing: [ObjectIdentifier: TransactionID] = [:]
        for transaction in transactions {
            let original = transaction.original?.transactionIdentifier.map { TransactionID($0) }
            if let proof = original.flatMap({ contents.proof(of: $0) }) {
                verified[ObjectIdentifier(transaction)] = proof.transaction
            } else if let id = transaction.transactionIdentifier {
                missing[ObjectIdentifier(transaction)] = TransactionID(id)
            }
        }
        // Use the restored transaction in place of an original transaction that the vault lacks.
        let signed = await lookup.find(Set(missing.values))
        for (object, id) in missing {
            guard let signed = signed[id] else { continue }
            verified[object] = try? await session.reader.verifier.verify(signed)
        }
        return verified
    }
}
