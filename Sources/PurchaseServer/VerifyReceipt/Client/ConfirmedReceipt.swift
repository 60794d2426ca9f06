import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// A locally verified receipt, with the result of the App Store's `verifyReceipt`.
struct ConfirmedReceipt: Sendable {
    let receipt: VerifiedReceipt
    /// The purchases that `verifyReceipt` reports as canceled.
    var canceled = CanceledPurchases()
    /// The newest receipt in the response, verified locally; nil without a newer receipt.
    var latest: VerifiedReceipt?

    /// The events of the receipt's purchases without a cancellation, and of further transactions of these purchases in the newest receipt.
    var events: [VerifiedEvent] {
        let purchases = receipt.payload.purchases.filter { !canceled.contains($0) }
        let events = purchases.map { VerifiedEvent($0, in: receipt) }
        guard let latest else { return events }
        let known = Set(receipt.payload.purchases.map(\.transactionID))
        let originals = Set(receipt.payload.purchases.map(\.originalTransactionID))
        // Add no purchase with another original transaction, because the unsigned response could contain the receipt of another account.
        return events
            + latest.payload.purchases.filter { purchase in
                originals.contains(purchase.originalTransactionID) && !known.contains(purchase.transactionID)
                    && !canceled.contains(purchase)
            }.map { VerifiedEvent($0, in: latest) }
    }
}

/// A receipt of one transaction (iOS 6 and earlier), verified locally and confirmed by the App Store's `verifyReceipt`.
struct ConfirmedTransactionReceipt: Sendable {
    /// The App Store's environment that contains the transaction.
    let environment: AppEnvironment
    /// The events of the receipt's purchase, and of the subscription's later periods in the newest receipt of the response.
    let events: [VerifiedEvent]
}

/// Whether the server confirms locally verified receipts with the App Store's `verifyReceipt`.
public enum ReceiptConfirmation: String, CaseIterable, Sendable {
    /// The server sends no request; the signature of the receipt suffices.
    case off
    /// A receipt that the App Store refuses is refused; without a response, the signature of the receipt suffices.
    case soft
    /// A receipt that the App Store refuses is refused; without a response, the verification is indeterminate, a retryable result.
    case hard
}
