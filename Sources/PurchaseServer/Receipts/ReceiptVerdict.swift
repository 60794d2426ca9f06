import PurchaseModel
import PurchaseProof

/// What is known of a receipt after everybody was asked.
enum ReceiptVerdict: Sendable {
    /// Signed by the store, and the store still stands by it, except for the purchases that it has taken back.
    case verified(VerifiedReceipt, takenBack: TakenBack, asked: [String])
    /// It is no good; the sentence says why. Asking again will not help.
    case refused(reason: String)
    /// Nobody could say. This gives nothing, and takes nothing away.
    case unknown(asked: [String])
}
