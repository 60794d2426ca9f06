import Foundation
package import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireClient

/// A transaction of StoreKit that the app has to deliver.
struct IncomingTransaction: Sendable {
    /// The transaction as the App Store signed it.
    let signed: SignedTransaction
    /// Whether a person restored the purchase.
    var isRestored = false
    /// Finishes the transaction in StoreKit; nil for a transaction that is already finished.
    let finish: (@Sendable () async -> Void)?
}

/// What became of a transaction.
enum FulfillmentResult: Hashable, Sendable {
    /// The purchase is delivered, and its transaction finished; `isNew` is false for a purchase that was delivered before.
    case delivered(Purchase, isNew: Bool, previous: PreviousOwner?)
    /// The transaction was revoked before its purchase was delivered; it is finished.
    case revoked(Purchase)
    /// The purchase is not delivered; a further attempt follows after ``DeliveryError/later(_:)``.
    case undelivered(Purchase, DeliveryError)
    /// The purchase belongs to another customer of the server; the transaction is finished.
    case otherCustomer(Purchase)
    /// The transaction can't be verified, so nothing is delivered and it stays unfinished.
    case unverified
}

/// A change that the engine reports to the app's state, in order.
enum FulfillmentReport: Sendable {
    case progress(Purchase, received: Int64, length: Int64)
    case ended(FulfillmentResult)
}

/// A step of a delivery that is durable, after which a test can end the process.
package enum DeliveryStep: Hashable, Sendable {
    /// The server has recorded the transaction.
    case submitted(ProductID)
    /// The content is on the disk.
    case installed(ProductID)
    /// The app's closure has returned.
    case performed(ProductID)
    /// The effect and the transaction are in the vault.
    case recorded(ProductID)
    /// StoreKit has recorded that the transaction is finished.
    case finished(ProductID)
}

/// Verifies, delivers and finishes transactions, those of different purchases side by side.
///
/// The order for each transaction is fixed: the server records it, the content is installed, effect and identifier become durable in the
/// vault, and StoreKit finishes it. A transaction that comes again after a crash continues from what is durable.
actor FulfillmentEngine {
    private let vault: Vault
    private let verifier: SignedDataVerifier
    private let fulfillments: [ProductID: Fulfillment]
    private let submitter: PurchaseSubmitter?
    private let ledger: CreditLedger
    private let retries: RetryTimer
    private let report: @Sendable (FulfillmentReport) async -> Void
    private let step: @Sendable (DeliveryStep) async -> Void

    private var running: [TransactionID: Task<FulfillmentResult, Never>] = [:]
    private var waiting: [SignedTransaction: IncomingTransaction] = [:]

    init(
        vault: Vault, verifier: SignedDataVerifier, fulfillments: [ProductID: Fulfillment], service: (any PurchaseService)?,
        ledger: CreditLedger, retries: RetryTimer, report: @escaping @Sendable (FulfillmentReport) async -> Void,
        step: @escaping @Sendable (DeliveryStep) async -> Void
    ) {
        self.vault = vault
        self.verifier = verifier
        self.fulfillments = fulfillments
        submitter = service.map { PurchaseSubmitter($0) }
        self.ledger = ledger
        self.retries = retries
        self.report = report
        self.step = step
    }

    /// Delivers a transaction, unless that was done, and returns when it is finished or an attempt has failed.
    ///
    /// A call for a transaction that is being delivered waits for that delivery.
    @discardableResult
    func fulfill(_ incoming: IncomingTransaction) async -> FulfillmentResult {
        let transaction: VerifiedTransaction
        do {
            transaction = try await verified(incoming.signed)
        } catch {
            // A verification that could not be completed can succeed later; a refused one can't.
            if case .indeterminate = error { await retryLater(incoming) }
            await report(.ended(.unverified))
            return .unverified
        }
        let purchase = Purchase(transaction: transaction, isRestored: incoming.isRestored)
        if let task = running[purchase.id] {
            let result = await task.value
            if result.isFinished { await incoming.finish?() }
            return result
        }
        let task = Task { await deliver(purchase, incoming) }
        running[purchase.id] = task
        let result = await task.value
        running[purchase.id] = nil
        await report(.ended(result))
        return result
    }

    /// Tries again to deliver the purchases whose delivery has failed in this app session, and returns after one attempt for each.
    func retry() async {
        let incoming = waiting
        waiting = [:]
        await withDiscardingTaskGroup { group in
            for transaction in incoming.values { group.addTask { await self.fulfill(transaction) } }
        }
    }

    /// The number of transactions that wait for the request after the current one.
    var waitingSubmissions: Int {
        get async { await submitter?.waitingCount ?? 0 }
    }

    private func retryLater(_ incoming: IncomingTransaction) async {
        waiting[incoming.signed] = incoming
        await retries.schedule { [weak self] in await self?.retry() }
    }

    @concurrent
    private func verified(_ signed: SignedTransaction) async throws(VerificationFailure) -> VerifiedTransaction {
        try await verifier.verify(signed)
    }

    // MARK: - One delivery

    private func deliver(_ purchase: Purchase, _ incoming: IncomingTransaction) async -> FulfillmentResult {
        do throws(DeliveryError) {
            let result = try await attempt(purchase)
            await incoming.finish?()
            await step(.finished(purchase.productID))
            await retries.succeeded()
            return result
        } catch {
            // A refused purchase is tried again at the app's request, or in the next app session.
            if case .later = error { await retryLater(incoming) } else { waiting[incoming.signed] = incoming }
            return .undelivered(purchase, error)
        }
    }

    private func attempt(_ purchase: Purchase) async throws(DeliveryError) -> FulfillmentResult {
        let proof = VerifiedProof(transaction: purchase.transaction)
        guard await !vault.contents.delivered.contains(purchase.id) else {
            try await record([.proof(proof)])
            if purchase.isRestored, !purchase.transaction.payload.isRevoked { try await reinstall(purchase) }
            return .delivered(purchase, isNew: false, previous: nil)
        }
        guard !purchase.transaction.payload.isRevoked else {
            try await record([.proof(proof)])
            return .revoked(purchase)
        }
        let fulfillment = try fulfillment(of: purchase)
        var previous: PreviousOwner?
        if let submitter {
            switch try await submitter.submit(purchase) {
            case .complete(let owner): previous = owner
            case .otherCustomer:
                try await record([.proof(proof), .attributed(purchase.transaction.payload.originalTransactionId, false)])
                return .otherCustomer(purchase)
            }
            await step(.submitted(purchase.productID))
        }
        var entries: [VaultEntry<VerifiedProof>] = [.proof(proof)]
        if submitter != nil { entries.append(.attributed(purchase.transaction.payload.originalTransactionId, true)) }
        for effect in fulfillment.effects {
            switch effect {
            case .deliver(let content):
                entries.append(.content(purchase.productID, try await install(content, purchase)))
                await step(.installed(purchase.productID))
            case .perform(let body):
                try await body(purchase)
                await step(.performed(purchase.productID))
            case .credit, .unlock, .update: break
            }
        }
        let credits = try credits(of: purchase, fulfillment)
        entries.append(.delivered(purchase.id, credits))
        try await record(entries, updating: fulfillment, for: purchase)
        await step(.recorded(purchase.productID))
        if submitter != nil, fulfillment.credits != nil { await ledger.synchronize() }
        return .delivered(purchase, isNew: true, previous: previous)
    }

    private func fulfillment(of purchase: Purchase) throws(DeliveryError) -> Fulfillment {
        if let fulfillment = fulfillments[purchase.productID] { return fulfillment }
        // Credits that nobody configured would be lost with the transaction, so it stays unfinished for a version of the app that knows
        // the product.
        guard purchase.transaction.payload.productType != .consumable else {
            throw .refused("This version of the app can't deliver the product. Update the app.")
        }
        return .standard(for: purchase.productID)
    }

    private func install(_ content: any ContentDelivery, _ purchase: Purchase) async throws(DeliveryError) -> InstalledContent {
        let (progress, continuation) = AsyncStream.makeStream(
            of: (received: Int64, length: Int64).self, bufferingPolicy: .bufferingNewest(1))
        let reporting = Task { [report] in
            for await (received, length) in progress { await report(.progress(purchase, received: received, length: length)) }
        }
        defer { continuation.finish() }
        let installed = try await content.install(purchase) { continuation.yield(($0, $1)) }
        continuation.finish()
        await reporting.value
        return installed
    }

    /// Installs the content of a restored purchase again if it is no longer on the disk.
    private func reinstall(_ purchase: Purchase) async throws(DeliveryError) {
        let path = await vault.contents.contents[purchase.productID]?.path
        if let path, FileManager.default.fileExists(atPath: path) { return }
        for case .deliver(let content) in fulfillments[purchase.productID]?.effects ?? [] {
            try await record([.content(purchase.productID, try await install(content, purchase))])
        }
    }

    /// The credits that the delivery adds on the device; nil for a purchase without credits, a restored one, and one that the server credits.
    private func credits(of purchase: Purchase, _ fulfillment: Fulfillment) throws(DeliveryError) -> DeliveredCredits? {
        guard submitter == nil, !purchase.isRestored, let (currency, perUnit) = fulfillment.credits else { return nil }
        guard let credits = CreditRule.credits(perUnit: perUnit, quantity: purchase.quantity) else {
            throw .refused("The number of credits is out of range.")
        }
        return DeliveredCredits(currency: currency, amount: Int64(credits))
    }

    /// Writes the entries of a delivery that the vault does not have yet, in one step with the app's own values.
    private func record(
        _ entries: [VaultEntry<VerifiedProof>], updating fulfillment: Fulfillment? = nil, for purchase: Purchase? = nil
    ) async throws(DeliveryError) {
        do {
            try await vault.change { (contents) throws(VaultError) in
                var new: [VaultEntry<VerifiedProof>] = []
                for entry in entries {
                    switch entry {
                    case .proof(let proof) where contents.contains(proof): continue
                    case .attributed(let id, let isOwn) where contents.attributions[id] == isOwn: continue
                    case .content(let product, let content) where contents.contents[product] == content: continue
                    case .delivered(let id, _) where contents.delivered.contains(id): return []
                    case .delivered(_, let credits?) where credits.amount > 0 && !contents.accounts.canAdd(credits): throw .outOfRange
                    default: new.append(entry)
                    }
                }
                // The purchase can be one that was pending until now.
                if let purchase, let pending = contents.pending.first(where: { $0.productID == purchase.productID }) {
                    new.append(.pendingEnded(pending.id))
                }
                if let fulfillment, let purchase {
                    for case .update(let name, let change) in fulfillment.effects {
                        new.append(.value(name, try change(contents.values[name], purchase)))
                    }
                }
                return new
            }
        } catch {
            throw .later(error.description)
        }
    }
}

extension FulfillmentResult {
    /// The purchase; nil for a transaction that can't be verified.
    var purchase: Purchase? {
        switch self {
        case .delivered(let purchase, _, _), .revoked(let purchase), .undelivered(let purchase, _), .otherCustomer(let purchase): purchase
        case .unverified: nil
        }
    }

    /// Whether the transaction is finished.
    var isFinished: Bool {
        switch self {
        case .delivered, .revoked, .otherCustomer: true
        case .undelivered, .unverified: false
        }
    }
}
