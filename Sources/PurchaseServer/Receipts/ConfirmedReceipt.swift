import PurchaseModel
import PurchaseProof

/// A locally verified receipt, and what the App Store's `verifyReceipt` states about it.
struct ConfirmedReceipt: Sendable {
    /// The receipt, verified locally.
    let receipt: VerifiedReceipt
    /// The purchases that `verifyReceipt` reports as canceled.
    let canceled: CanceledPurchases

    /// The purchases of the receipt that are not canceled, as events.
    var events: [VerifiedEvent] {
        receipt.payload.purchases.filter { !canceled.contains($0) }.map { VerifiedEvent($0, in: receipt) }
    }
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
