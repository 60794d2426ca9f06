import Foundation
import PurchaseModel
import PurchaseProof
import StoreKit

/// Verifies, delivers and finishes a controller's transactions, one at a time.
actor FulfillmentWorker {
    enum Work: Sendable {
        case purchased(SKPaymentTransaction, @Sendable (PurchaseOutcome) -> Void)
        case restored(SKPaymentTransaction, unasked: @Sendable () -> Void)
        case restore(RunningRestore)
        case restoreFinished(NSError?)
        case chosen(Set<ProductID>, [RestoreOffer])
        case barrier(CheckedContinuation<Int, Never>)
    }

    private let queue: SKPaymentQueue
    private let verifier: SignedDataVerifier
    private let vault: Vault
    private let delivery: any Delivery
    private let inbox: AsyncStream<Work>.Continuation
    private var done = 0
    private var restores: [RunningRestore] = []
    private var restorable: [Restorable] = []
    private var isChoosing = false
    private var held: Set<ObjectIdentifier> = []

    init(queue: SKPaymentQueue, verifier: SignedDataVerifier, vault: Vault, delivery: any Delivery) {
        self.queue = queue
        self.verifier = verifier
        self.vault = vault
        self.delivery = delivery
        // The buffer is not limited, because no transaction may be dropped.
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
            if restores.count == 1 { queue.restoreCompletedTransactions() }
        case .restoreFinished(let error):
            done += 1
            endRestore(error)
        case .chosen(let products, let offered):
            done += 1
            await deliver(products, of: offered)
        case .barrier(let continuation):
            continuation.resume(returning: done)
        }
    }

    private func purchased(_ transaction: SKPaymentTransaction) async -> PurchaseOutcome {
        guard let purchase = await verified(transaction) else {
            // Nothing was delivered, so the transaction stays unfinished. A later verification may succeed.
            return .failed(domain: SKErrorDomain, code: SKError.Code.unknown.rawValue, message: "The purchase can't be verified yet.")
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

    /// Keeps a restored transaction until the restore has ended and the user has chosen the products.
    ///
    /// If no restore is running, the transaction remains from an earlier app session, and is kept until the next restore.
    private func hold(_ transaction: SKPaymentTransaction, unasked: @Sendable () -> Void) async {
        guard held.insert(ObjectIdentifier(transaction)).inserted else { return }
        guard let purchase = await verified(transaction) else {
            held.remove(ObjectIdentifier(transaction))
            return
        }
        restorable.append(Restorable(transaction: transaction, purchase: purchase))
        if restores.isEmpty { unasked() }
    }

    /// Asks the user which of the restored products to deliver, or reports the error of the restore.
    ///
    /// The worker continues to process purchases while the user chooses.
    private func endRestore(_ error: NSError?) {
        // If the app began this restore without the controller, there is no choice; the transactions are kept until the next restore.
        guard let restore = restores.first, !isChoosing else { return }
        if let error { return end(RestoreOutcome(failure: error)) }
        isChoosing = true
        let offers = RestoreOffer.offers(of: restorable)
        Task {
            let chosen = offers.isEmpty ? [] : await restore.choose(offers.map(\.product))
            submit(.chosen(chosen, offers))
        }
    }

    private func deliver(_ chosen: Set<ProductID>, of offers: [RestoreOffer]) async {
        var difference = RestoreDifference()
        for offer in offers {
            if chosen.contains(offer.product) {
                await deliver(offer, &difference)
            } else {
                difference.skipped.append(offer.product)
                for part in offer.parts { finish(part) }
            }
        }
        isChoosing = false
        restorable.removeAll { !held.contains(ObjectIdentifier($0.transaction)) }
        end(.finished(difference))
    }

    private func deliver(_ offer: RestoreOffer, _ difference: inout RestoreDifference) async {
        let wasThere = await vault.owns(offer.product)
        do {
            // Each renewal of a subscription is restored as a separate transaction.
            for part in offer.parts {
                try await delivery.deliver(part.purchase)
                finish(part)
            }
            if wasThere { difference.kept.append(offer.product) } else { difference.gained.append(offer.product) }
        } catch {
            // The product's transactions that were not delivered are kept until the next restore.
            difference.undelivered.append(offer.product)
        }
    }

    private func finish(_ part: Restorable) {
        held.remove(ObjectIdentifier(part.transaction))
        queue.finishTransaction(part.transaction)
    }

    private func end(_ outcome: RestoreOutcome) {
        for restore in restores {
            restore.continuation.resume(returning: outcome)
        }
        restores = []
    }
}
