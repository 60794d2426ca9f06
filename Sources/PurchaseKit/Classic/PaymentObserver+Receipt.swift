import PurchaseModel
import PurchaseProof
import StoreKit
import Synchronization

extension PaymentObserver {
    /// Fetches the latest receipt in response to a person's gesture, and delivers the purchases that were not delivered on this device.
    ///
    /// The App Store may ask for a sign-in, and creates no new transactions. If the observer has a ``ReceiptVerification``, only purchases
    /// in the verified receipt are delivered. A call while a refresh is running joins that refresh. After
    /// ``PurchasesConfiguration/restoreDeadline`` without an answer, the outcome is a failure.
    public func refreshReceipt() async -> ReceiptRefreshOutcome {
        let task = refreshing.withLock { running in
            if let running { return running }
            let task = Task { await runRefresh() }
            running = task
            return task
        }
        let outcome = await task.value
        refreshing.withLock { if $0 == task { $0 = nil } }
        return outcome
    }

    private func runRefresh() async -> ReceiptRefreshOutcome {
        let ending = await ClassicRequest.run(within: session.deadline, on: session.timer) { delegate in
            let request = SKReceiptRefreshRequest()
            request.delegate = delegate
            return request
        }
        switch ending {
        case .failed(nil): return .canceled
        case .failed(let failure?): return .failed(failed(failure))
        case .finished: break
        }
        var purchased: Set<TransactionID>?
        switch await receipt?.status() {
        case nil: break
        case .verified(let receipt): purchased = Set(receipt.payload.purchases.map(\.originalTransactionID))
        case .missing, .refused, .indeterminate:
            return .failed(failed(PurchaseFailure(.unverified, message: "The receipt of this device could not be verified.")))
        }
        let outcome = await deliverMissing { purchased?.contains($0) ?? true }
        await purchases.refresh()
        return outcome
    }

    /// Delivers the account's purchases that were not delivered on this device.
    private func deliverMissing(where isIncluded: (_ original: TransactionID) -> Bool) async -> ReceiptRefreshOutcome {
        let (_, transactions) = await session.reader.readAll()
        let unfinished = await lookup.unfinished()
        let contents = await session.vault.contents
        let missing = session.book.restorable(in: contents, at: session.clock.now).filter {
            !contents.delivered.contains($0.transactionID) && isIncluded($0.originalTransactionID)
        }
        var (added, undelivered): ([ProductID], [ProductID]) = ([], [])
        await withTaskGroup(of: (ProductID, FulfillmentResult).self) { [session] group in
            for purchase in missing {
                guard let signed = contents.signedTransaction(purchase.transactionID) else { continue }
                let transaction = transactions[purchase.transactionID]
                let isRestored = !unfinished.contains(purchase.transactionID)
                group.addTask {
                    let result = await session.engine.fulfill(
                        IncomingTransaction(signed: signed, isRestored: isRestored) { await transaction?.finish() })
                    return (purchase.productID, result)
                }
            }
            for await (product, result) in group {
                if case .delivered = result { added.append(product) } else { undelivered.append(product) }
            }
        }
        let order = missing.map(\.productID)
        return .refreshed(
            added: order.filter { added.contains($0) && !undelivered.contains($0) }, undelivered: order.filter { undelivered.contains($0) })
    }
}
