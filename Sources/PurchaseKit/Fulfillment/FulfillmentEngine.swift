import Foundation
import PurchaseModel
import PurchaseProof
import Wire

/// A transaction of StoreKit that the app has to deliver.
struct IncomingTransaction: Sendable {
    /// The transaction as the App Store signed it.
    let signed: SignedTransaction
    /// Whether a person restored the purchase.
    var isRestored = false
    /// Finishes the transaction in StoreKit; nil for a transaction that is already finished.
    let finish: (@Sendable () async -> Void)?
}

/// Verifies, delivers and finishes transactions; different purchases are delivered concurrently.
///
/// The steps of a delivery have a fixed order: the server records the transaction, the content is installed, the vault stores the effects
/// and the identifier, and StoreKit finishes the transaction. After a crash, the delivery continues after the last durable step.
actor FulfillmentEngine {
    private let vault: Vault
    private let verifier: SignedDataVerifier
    private let fulfillments: [ProductID: Fulfillment]
    private let submitter: PurchaseSubmitter?
    private let session: PurchasesSession
    private let ledger: CreditLedger
    private let installer: ContentInstaller
    private let retries: RetryTimer
    private let report: @Sendable (FulfillmentReport) async -> Void
    private let step: @Sendable (DeliveryStep) async -> Void

    private var running: [TransactionID: Task<FulfillmentResult, Never>] = [:]
    /// The purchases whose delivery has failed in this app session, each with the newest version of the transaction.
    private var waiting: [TransactionID: Waiting] = [:]
    private struct Waiting {
        let signedDate: Timestamp
        let product: ProductID
        let incoming: IncomingTransaction
        /// Whether the delivery waits until the person resumes the download of the content.
        let isPaused: Bool
    }

    /// The transactions whose verification could not be completed.
    private var indeterminate: [SignedTransaction: IncomingTransaction] = [:]

    init(
        vault: Vault, verifier: SignedDataVerifier, fulfillments: [ProductID: Fulfillment], service: (any PurchaseService)?,
        session: PurchasesSession, ledger: CreditLedger, installer: ContentInstaller,
        serverAnswered: @escaping @Sendable (WireClientError?) async -> Void, retries: RetryTimer,
        report: @escaping @Sendable (FulfillmentReport) async -> Void,
        step: @escaping @Sendable (DeliveryStep) async -> Void
    ) {
        self.vault = vault
        self.verifier = verifier
        self.fulfillments = fulfillments
        submitter = service.map { PurchaseSubmitter($0, answered: serverAnswered) }
        self.session = session
        self.ledger = ledger
        self.installer = installer
        self.retries = retries
        self.report = report
        self.step = step
    }

    /// Delivers a transaction that is not delivered yet, and returns when the transaction is finished or an attempt has failed.
    ///
    /// A call for a transaction that is being delivered waits for that delivery. If the vault then lacks the signed data of the call, such
    /// as a refund, another attempt follows.
    @discardableResult
    func fulfill(_ incoming: IncomingTransaction) async -> FulfillmentResult {
        let transaction: VerifiedTransaction
        do {
            transaction = try await verified(incoming.signed)
        } catch {
            // Retry an incomplete verification, which can succeed later, but not a refused transaction.
            if case .indeterminate = error {
                indeterminate[incoming.signed] = incoming
                await scheduleRetry()
            }
            await report(.ended(.unverified(incoming.signed)))
            return .unverified(incoming.signed)
        }
        let purchase = Purchase(transaction: transaction, isRestored: incoming.isRestored)
        if !transaction.payload.isRevoked, await isPaused(purchase) { return .undelivered(purchase, .paused) }
        while let task = running[purchase.id] {
            let result = await task.value
            guard await !vault.contents.contains(VerifiedProof(transaction: transaction)) else {
                if result.isFinished { await incoming.finish?() }
                return result
            }
            if result.isUndelivered, !purchase.transaction.payload.isRevoked { return result }
        }
        let task = Task {
            let result = await deliver(purchase, incoming)
            running[purchase.id] = nil
            return result
        }
        running[purchase.id] = task
        let result = await task.value
        await report(.ended(result))
        return result
    }

    /// Cancels the deliveries of a session that has ended; no delivery records anything after the method returns.
    func stop() async {
        (waiting, indeterminate) = ([:], [:])
        for task in running.values { task.cancel() }
        // Make an empty change, because the vault writes changes in order: all changes of the deliveries are then on the disk.
        _ = try? await vault.change { _ throws(VaultError) in [] }
    }

    /// Tries again to deliver the purchases whose delivery has failed in this app session, and returns after one attempt for each.
    func retry() async {
        let incoming = waiting.values.filter { !$0.isPaused }.map(\.incoming) + indeterminate.values
        (waiting, indeterminate) = (waiting.filter(\.value.isPaused), [:])
        await withDiscardingTaskGroup { group in
            for transaction in incoming { group.addTask { await self.fulfill(transaction) } }
            group.addTask { await self.submitRefunds() }
        }
    }

    /// The number of transactions that wait for the next request to the server.
    var waitingSubmissions: Int {
        get async { await submitter?.waitingCount ?? 0 }
    }

    /// Tries again to deliver the purchases of one product.
    func retry(only product: ProductID) async {
        let incoming = waiting.filter { $0.value.product == product }
        for id in incoming.keys { waiting[id] = nil }
        await withDiscardingTaskGroup { group in
            for purchase in incoming.values { group.addTask { await self.fulfill(purchase.incoming) } }
        }
    }

    private func scheduleRetry() async {
        guard !session.hasEnded else { return }
        await retries.schedule { [weak self] in await self?.retry() }
    }

    /// Returns whether the delivery of a purchase waits until the person resumes the download of the content.
    private func isPaused(_ purchase: Purchase) async -> Bool {
        guard waiting[purchase.id]?.isPaused == true else { return false }
        return await vault.contents.downloads[purchase.productID] == .paused
    }

    /// Stores a purchase for the next attempt, unless a newer version of its transaction is stored.
    private func keep(_ purchase: Purchase, _ incoming: IncomingTransaction, isPaused: Bool) {
        let signedDate = purchase.transaction.payload.signedDate
        if let known = waiting[purchase.id], known.signedDate > signedDate { return }
        waiting[purchase.id] = Waiting(
            signedDate: signedDate, product: purchase.productID, incoming: incoming, isPaused: isPaused)
    }

    @concurrent
    private func verified(_ signed: SignedTransaction) async throws(VerificationFailure) -> VerifiedTransaction {
        try await verifier.verify(signed)
    }

    // MARK: - One delivery

    private func deliver(_ purchase: Purchase, _ incoming: IncomingTransaction) async -> FulfillmentResult {
        do throws(DeliveryError) {
            let result = try await attempt(purchase)
            waiting[purchase.id] = nil
            guard result.isFinished else { return result }
            await incoming.finish?()
            await step(.finished(purchase.productID))
            await retries.succeeded()
            return result
        } catch {
            // Retry a refused purchase at the app's request or in the next app session, and a paused purchase after the download is
            // resumed.
            var isPaused = false
            if error == .paused {
                // Read the pause from the vault, because the person may have resumed the download while the delivery ended.
                isPaused = await vault.contents.downloads[purchase.productID] == .paused
            }
            keep(purchase, incoming, isPaused: isPaused)
            switch error {
            case .later: await scheduleRetry()
            case .paused where !isPaused: await scheduleRetry()
            case .paused, .refused: break
            }
            return .undelivered(purchase, error)
        }
    }

    private func attempt(_ received: Purchase) async throws(DeliveryError) -> FulfillmentResult {
        let proof = VerifiedProof(transaction: received.transaction)
        let entry = try Self.entry(of: proof)
        guard !session.hasEnded else { throw .later(VaultError.sessionEnded.description) }
        await vault.begin(session)
        let contents = await vault.contents
        // Deliver the vault's version of the transaction if that version is newer, for example because of a refund.
        let newest = contents.proof(of: received.id).flatMap { proof.event.hasOlderTransaction(than: $0.event) ? $0 : nil } ?? proof
        let purchase = Purchase(transaction: newest.transaction, isRestored: received.isRestored)
        let isRevoked = purchase.transaction.payload.isRevoked
        guard !isRevoked || leavesCredits(purchase), !contents.delivered.contains(purchase.id) else {
            try await record([entry])
            if isRevoked { await submitRefunds() }
            guard contents.delivered.contains(purchase.id) else { return .revoked(purchase) }
            var previous: PreviousOwner?
            if purchase.isRestored, !isRevoked {
                // Submit another customer's purchase first, because the server decides whether the purchase moves to the current customer.
                if let submitter, !contents.belongs(purchase.transaction.payload, to: session.customer) {
                    guard case .complete(let owner) = try await submitter.submit(purchase) else {
                        return .otherCustomer(purchase, isFinished: true)
                    }
                    try await record([.attributed(purchase.transaction.payload.originalTransactionId, true)])
                    previous = owner
                }
                try await installer.installMissing(purchase)
            }
            return .delivered(purchase, isNew: false, previous: previous)
        }
        // Without a server, refuse another customer's purchase; with a server, the server decides.
        guard submitter != nil || contents.belongs(purchase.transaction.payload, to: session.customer) else {
            try await record([entry])
            return .otherCustomer(purchase, isFinished: false)
        }
        let fulfillment = try fulfillment(of: purchase)
        // Do not use `contents` after this line, because the vault would copy its contents at the next change.
        let replaced = contents.contents[purchase.productID]
        var previous: PreviousOwner?
        if let submitter {
            switch try await submitter.submit(purchase) {
            case .complete(let owner): previous = owner
            case .otherCustomer:
                try await record([entry, .attributed(purchase.transaction.payload.originalTransactionId, false)])
                return .otherCustomer(purchase, isFinished: true)
            }
            await step(.submitted(purchase.productID))
        }
        var entries = [entry]
        if submitter != nil {
            entries.append(.attributed(purchase.transaction.payload.originalTransactionId, true))
            if isRevoked { entries.append(.refundSubmitted(purchase.id)) }
        }
        if fulfillment.content != nil { entries.append(.download(purchase.productID, nil)) }
        for case .deliver(let content) in fulfillment.effects {
            // Deliver the purchase without its content, which can be downloaded later, if the person has canceled the download.
            guard let installed = try await installer.install(content, purchase) else { continue }
            entries.append(.content(purchase.productID, installed))
            await step(.installed(purchase.productID))
        }
        // Call the closures last, so that a failed download does not repeat the calls.
        for case .perform(let body) in fulfillment.effects {
            try await body(purchase)
            await step(.performed(purchase.productID))
        }
        entries.append(.delivered(purchase.id, try credits(of: purchase, fulfillment)))
        try await record(entries, updating: fulfillment, for: purchase)
        await step(.recorded(purchase.productID))
        await installer.removeReplaced(replaced, of: purchase.productID)
        await installer.endCancellation(of: purchase.productID)
        if submitter != nil, !fulfillment.credits.isEmpty { await ledger.synchronize() }
        return .delivered(purchase, isNew: true, previous: previous)
    }

    /// Submits refunds that the App Store may not have reported to the server yet, and reads the balances.
    func submitRefunds() async {
        guard let submitter else { return }
        let refunds = await vault.contents.unsubmittedRefunds
        guard !refunds.isEmpty else { return }
        let submitted = await withTaskGroup(of: TransactionID?.self) { group in
            for refund in refunds {
                group.addTask {
                    do throws(DeliveryError) {
                        _ = try await submitter.submit(Purchase(transaction: refund, isRestored: false))
                        return refund.payload.transactionId
                    } catch {
                        // Do not retry after a refusal, because the server has received the transaction.
                        if case .refused = error { return refund.payload.transactionId }
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        try? await record(submitted.map { .refundSubmitted($0) })
        if submitted.count < refunds.count { await scheduleRetry() }
        await ledger.synchronize()
    }

    private static func entry(of proof: VerifiedProof) throws(DeliveryError) -> VaultEntry {
        do { return .proof(try StoredProof(proof)) } catch { throw .later(error.description) }
    }

    private func fulfillment(of purchase: Purchase) throws(DeliveryError) -> Fulfillment {
        if let fulfillment = fulfillments[purchase.productID] { return fulfillment }
        // Do not finish the transaction of a consumable that has no fulfillment: its credits would be lost. A later version of the app can
        // deliver the product.
        guard purchase.transaction.payload.productType != .consumable else {
            throw .refused("This version of the app can't deliver the product. Update the app.")
        }
        return .standard(for: purchase.productID)
    }

    /// Returns whether a purchase was only partly refunded before the delivery, and the customer keeps a share of the credits.
    private func leavesCredits(_ purchase: Purchase) -> Bool {
        purchase.transaction.payload.isPartlyRevoked && fulfillments[purchase.productID]?.credits.isEmpty == false
    }

    /// The credits that the delivery adds on the device; none for a purchase that was restored or that the server credits.
    ///
    /// The credits of a restored purchase were added at its first delivery on this or another device.
    private func credits(of purchase: Purchase, _ fulfillment: Fulfillment) throws(DeliveryError) -> [DeliveredCredits] {
        guard submitter == nil, !purchase.isRestored else { return [] }
        return try fulfillment.credits.map { (currency, perUnit) throws(DeliveryError) in
            guard let credits = CreditRule.credits(perUnit: perUnit, quantity: purchase.quantity) else {
                throw .refused("The number of credits is out of range.")
            }
            return DeliveredCredits(currency: currency, amount: Int64(credits))
        }
    }

    /// Writes the entries of a delivery that the vault does not have yet, in one step with the app's own values.
    private func record(
        _ entries: [VaultEntry], updating fulfillment: Fulfillment? = nil, for purchase: Purchase? = nil
    ) async throws(DeliveryError) {
        guard !session.hasEnded else { throw .later(VaultError.sessionEnded.description) }
        do {
            try await vault.change { (contents) throws(VaultError) in
                var new: [VaultEntry] = []
                for entry in entries {
                    switch entry {
                    case .proof(let proof) where contents.contains(proof): continue
                    case .attributed(let id, let isOwn) where contents.attributions[id] == isOwn: continue
                    case .content(let product, let content) where contents.contents[product] == content: continue
                    case .download(let product, let request) where contents.downloads[product] == request: continue
                    case .delivered(let id, _) where contents.delivered.contains(id): return []
                    case .delivered(_, let credits) where !contents.accounts.canAdd(credits): throw .outOfRange
                    default: new.append(entry)
                    }
                }
                // End a pending purchase of the delivered product.
                if let purchase, let pending = contents.pending.first(where: { $0.productID == purchase.productID }) {
                    new.append(.pendingEnded(pending.id))
                }
                if let fulfillment, let purchase {
                    for case .update(let name, let change) in fulfillment.effects {
                        new.append(.value(name, try change(contents.values[OpaqueText(name)], purchase)))
                    }
                }
                return new
            }
        } catch {
            throw .later(error.description)
        }
    }
}
