import PurchaseModel
import StoreKit

/// Listens to StoreKit's updates while the app runs.
struct StoreListener: Sendable {
    let engine: FulfillmentEngine
    let reader: PurchaseReader
    let restored: RestoredTransactions
    let changed: @Sendable () async -> Void
    let promoted: @Sendable (PromotedPurchase) async -> Void
    let presentation: PurchasePresentation

    /// Listens until the task is canceled.
    func listen() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await deliverUpdates() }
            group.addTask { await readStatuses() }
            #if os(iOS) || os(macOS) || os(Linux)
                group.addTask { await readIntents() }
            #endif
            #if os(iOS) || os(visionOS) || os(Linux)
                group.addTask { await showMessages() }
            #endif
        }
    }

    /// Delivers the transactions that are not finished, and returns after one attempt for each.
    func deliverUnfinished() async {
        await withDiscardingTaskGroup { group in
            for await result in StoreKit.Transaction.unfinished {
                group.addTask { await deliver(result) }
            }
        }
    }

    /// Delivers purchases concurrently, so that a download does not delay later purchases.
    private func deliverUpdates() async {
        await withDiscardingTaskGroup { group in
            for await result in StoreKit.Transaction.updates {
                group.addTask {
                    await deliver(result)
                    await changed()
                }
            }
        }
    }

    /// Delivers a transaction, except a restored transaction of StoreKit 1, because a person first chooses among restored transactions.
    private func deliver(_ result: VerificationResult<StoreKit.Transaction>) async {
        guard await !restored.contains(result.unsafePayloadValue) else { return }
        await engine.fulfill(IncomingTransaction(result))
    }

    private func readStatuses() async {
        for await status in Product.SubscriptionInfo.Status.updates {
            await reader.read(status)
            await changed()
        }
    }

    #if os(iOS) || os(macOS) || os(Linux)
        private func readIntents() async {
            await withDiscardingTaskGroup { group in
                for await intent in PurchaseIntent.intents {
                    // Buy in a separate task, so that the purchase and its delivery do not delay the next intent.
                    group.addTask { await promoted(PromotedPurchase(product: ProductListing(intent.product), offer: intent.offer)) }
                }
            }
        }
    #endif

    #if os(iOS) || os(visionOS) || os(Linux)
        private func showMessages() async {
            for await message in Message.messages {
                // Update the state before the app shows the message, because a message can announce a change of a subscription.
                await reader.readCurrent()
                await changed()
                await presentation.show(message)
            }
        }
    #endif
}

extension IncomingTransaction {
    init(_ result: VerificationResult<StoreKit.Transaction>) {
        let transaction = result.unsafePayloadValue
        self.init(signed: SignedTransaction(result.jwsRepresentation)) { await transaction.finish() }
    }
}

extension StoreKit.Transaction {
    /// The identifier as text, as in the signed transaction.
    var transactionID: TransactionID { TransactionID("\(id)") }
    /// The identifier of the original transaction as text, as in the signed transaction.
    var originalTransactionID: TransactionID { TransactionID("\(originalID)") }
}
