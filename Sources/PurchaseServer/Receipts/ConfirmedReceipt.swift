import PurchaseModel
import PurchaseProof

/// A locally verified receipt that the App Store's `verifyReceipt` accepted, too.
struct ConfirmedReceipt: Sendable {
    /// The receipt, verified locally.
    let receipt: VerifiedReceipt
    /// The purchases that `verifyReceipt` reports as canceled.
    let takenBack: TakenBack
    /// The `verifyReceipt` requests that were sent: environment and status of each, such as `production 0`.
    let asked: [String]
}
