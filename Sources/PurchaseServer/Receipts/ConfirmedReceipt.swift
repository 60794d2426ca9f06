import PurchaseModel
import PurchaseProof

/// A verified receipt that the App Store's `verifyReceipt` accepts, too.
struct ConfirmedReceipt: Sendable {
    /// The verified receipt.
    let receipt: VerifiedReceipt
    /// The purchases that `verifyReceipt` reports as canceled.
    let takenBack: TakenBack
    /// The hosts of `verifyReceipt` and their statuses, such as `production 0`.
    let asked: [String]
}
