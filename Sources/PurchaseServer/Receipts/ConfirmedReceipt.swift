import PurchaseModel
import PurchaseProof

/// A locally verified receipt, and what the App Store's `verifyReceipt` states about it.
struct ConfirmedReceipt: Sendable {
    /// The receipt, verified locally.
    let receipt: VerifiedReceipt
    /// The purchases that `verifyReceipt` reports as canceled.
    var canceled = CanceledPurchases()
    /// The newest receipt of the same app and account that the response contains, verified locally; nil if there is none.
    var latest: VerifiedReceipt?

    /// The purchases of the receipt that are not canceled, as events, and the later periods of its subscriptions in the newest receipt.
    var events: [VerifiedEvent] {
        let purchases = receipt.payload.purchases.filter { !canceled.contains($0) }
        let events = purchases.map { VerifiedEvent($0, in: receipt) }
        guard let latest else { return events }
        let known = Set(receipt.payload.purchases.map(\.transactionID))
        let originals = Set(receipt.payload.purchases.map(\.originalTransactionID))
        // The response is not signed, so it adds no purchase of another original transaction.
        return events
            + latest.payload.purchases.filter { purchase in
                originals.contains(purchase.originalTransactionID) && !known.contains(purchase.transactionID)
                    && !canceled.contains(purchase)
            }.map { VerifiedEvent($0, in: latest) }
    }
}

/// A locally verified receipt of one transaction (iOS 6 and earlier), which the App Store's `verifyReceipt` has confirmed.
struct ConfirmedTransactionReceipt: Sendable {
    /// The environment in which the App Store knows the transaction.
    let environment: AppEnvironment
    /// The purchase of the receipt, and a later period of the subscription if the response contains its receipt.
    let events: [VerifiedEvent]
}

/// Whether the server asks the App Store's `verifyReceipt` about receipts that it has verified locally.
public enum ReceiptConfirmation: String, CaseIterable, Sendable {
    /// The App Store is not asked; the signature of the receipt suffices.
    case off
    /// A receipt that the App Store refuses is refused; without a response, the signature of the receipt suffices.
    case soft
    /// A receipt that the App Store refuses is refused; without a response, the verification is indeterminate, a retryable result.
    case hard
}
