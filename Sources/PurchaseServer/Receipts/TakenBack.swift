import PurchaseModel
import PurchaseProof

/// The purchases that an answer of `verifyReceipt` calls cancelled.
///
/// The answer is not signed, so this is all that is read from it: it can only take away from what the signed receipt shows.
struct TakenBack: Hashable, Sendable {
    private var transactions: Set<TransactionID> = []
    private var lastingPurchases: Set<TransactionID> = []

    /// Reads the cancelled purchases of an answer.
    init(_ answer: VerifyReceiptResponse) {
        for purchase in (answer.receipt?.inApp ?? []) + (answer.latestReceiptInfo ?? []) where purchase.cancellationDate != nil {
            transactions.insert(purchase.transactionID)
            if purchase.expiresDate == nil {
                lastingPurchases.insert(purchase.originalTransactionID)
            }
        }
    }

    /// Whether a purchase of the receipt is among them; what does not expire goes together with all its restores.
    func contains(_ purchase: ReceiptPurchase) -> Bool {
        transactions.contains(purchase.transactionID)
            || purchase.expiresDate == nil && lastingPurchases.contains(purchase.originalTransactionID)
    }
}
