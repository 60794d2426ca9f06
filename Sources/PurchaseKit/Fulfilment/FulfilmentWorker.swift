import Foundation
import PurchaseModel
import PurchaseProof

#if canImport(StoreKit)
    import StoreKit
#else
    import OpenStoreKit
#endif

/// Deals with transactions one after the other: verify, deliver, finish.
actor FulfilmentWorker {
    enum Work: Sendable {
        case purchased(SKPaymentTransaction, @Sendable (PurchaseOutcome) -> Void)
        case restored(SKPaymentTransaction, unasked: @Sendable () -> Void)
        case restore(Restore)
        case restoreFinished(NSError?)
        case barrier(CheckedContinuation<Int, Never>)
    }

    private let queue: SKPaymentQueue
    private let verifier: SignedDataVerifier
    private let vault: Vault
    private let delivery: any Delivery
    private let inbox: AsyncStream<Work>.Continuation
    private var done = 0
    private var restores: [Restore] = []
    private var restored: [(transaction: SKPaymentTransaction, purchase: Purchase)] = []

    init(queue: SKPaymentQueue, verifier: SignedDataVerifier, vault: Vault, delivery: any Delivery) {
        self.queue = queue
        self.verifier = verifier
        self.vault = vault
        self.delivery = delivery
        let (stream, continuation) = AsyncStream.makeStream(of: Work.self)
        inbox = continuation
        Task { [weak self] in
            for await work in stream {
                await self?.handle(work)
            }
        }
    }

    deinit {
        inbox.finish()
    }

    nonisolated func submit(_ work: Work) {
        inbox.yield(work)
    }

    nonisolated func idle() async -> Int {
        await withCheckedContinuation { submit(.barrier($0)) }
    }

    private func handle(_ work: Work) async {
        switch work {
        case .purchased(let transaction, let settle):
            done += 1
            await settle(purchased(transaction))
        case .restored(let transaction, let unasked):
            done += 1
            await hold(transaction, unasked: unasked)
        case .restore(let restore):
            done += 1
            restores.append(restore)
        case .restoreFinished(let error):
            done += 1
            await endRestore(error)
        case .barrier(let continuation):
            continuation.resume(returning: done)
        }
    }

    private func purchased(_ transaction: SKPaymentTransaction) async -> PurchaseOutcome {
        guard let purchase = await verified(transaction) else {
            // Not finished: nothing was delivered, and a transaction that is genuine will be vouched for another day.
            return .failed(domain: SKErrorDomain, code: SKError.Code.unknown.rawValue, message: "The purchase could not be verified.")
        }
        do {
            try await delivery.deliver(purchase)
            queue.finishTransaction(transaction)
            return .delivered(purchase)
        } catch {
            return .undelivered(purchase, error)
        }
    }

    private func verified(_ transaction: SKPaymentTransaction) async -> Purchase? {
        guard let signed = transaction.jwsRepresentation,
            let verified = try? await verifier.verify(SignedTransaction(signed))
        else { return nil }
        guard let signedOriginal = transaction.original?.jwsRepresentation else {
            return Purchase(transaction: verified, original: nil)
        }
        guard let original = try? await verifier.verify(SignedTransaction(signedOriginal)) else { return nil }
        return Purchase(transaction: verified, original: original)
    }

    // MARK: - Restoring

    /// Keeps a restored transaction until the restore has ended and the user has chosen.
    ///
    /// One that comes while nobody restores was left by an earlier launch; it waits for the next restore.
    private func hold(_ transaction: SKPaymentTransaction, unasked: @Sendable () -> Void) async {
        guard let purchase = await verified(transaction), !restored.contains(where: { $0.transaction === transaction }) else { return }
        restored.append((transaction, purchase))
        if restores.isEmpty { unasked() }
    }

    private func endRestore(_ error: NSError?) async {
        guard !restores.isEmpty else { return }
        let restore = restores.removeFirst()
        if let error {
            let outcome: RestoreOutcome =
                switch PurchaseOutcome(failure: error) {
                case .cancelled: .cancelled
                default: .failed(domain: error.domain, code: error.code, message: error.localizedDescription)
                }
            restore.continuation.resume(returning: outcome)
            return
        }
        let waiting = restored
        restored = []
        let products = waiting.map(\.purchase.productID).reduce(into: [ProductID]()) { if !$0.contains($1) { $0.append($1) } }
        let chosen = products.isEmpty ? [] : await restore.choose(products)
        var difference = RestoreDifference()
        for product in products {
            let parts = waiting.filter { $0.purchase.productID == product }
            await finishRestore(of: product, parts, isChosen: chosen.contains(product), &difference)
        }
        restore.continuation.resume(returning: .finished(difference))
    }

    private func finishRestore(
        of product: ProductID,
        _ parts: [(transaction: SKPaymentTransaction, purchase: Purchase)],
        isChosen: Bool,
        _ difference: inout RestoreDifference
    ) async {
        guard isChosen else {
            difference.skipped.append(product)
            for part in parts { queue.finishTransaction(part.transaction) }
            return
        }
        let wasThere = await vault.owns(product)
        do {
            // Renewals of one subscription restore one by one; each is delivered under its own transaction.
            for part in parts {
                try await delivery.deliver(part.purchase)
                queue.finishTransaction(part.transaction)
            }
            if wasThere { difference.kept.append(product) } else { difference.gained.append(product) }
        } catch {
            difference.undelivered.append(product)
        }
    }
}
