import PurchaseModel
import PurchaseProof

/// The purchases that a response of `verifyReceipt` reports as canceled.
///
/// The response is not signed, so the server reads only cancellations from it, which can only exclude purchases of the signed receipt.
struct CanceledPurchases: Hashable, Sendable {
    private var transactions: Set<TransactionID> = []
    private var lastingPurchases: Set<TransactionID> = []

    /// Creates a value without purchases, for a receipt that was verified without `verifyReceipt`.
    init() {}

    /// Reads the canceled purchases of a response.
    init(_ response: VerifyReceiptResponse) {
        for purchase in (response.receipt?.inApp ?? []) + (response.latestReceiptInfo ?? []) {
            // An upgrade has a cancellation date, too, and gives no money back for the credits of its period.
            guard purchase.cancellationDate != nil, !purchase.isUpgraded else { continue }
            transactions.insert(purchase.transactionID)
            if purchase.expiresDate == nil {
                lastingPurchases.insert(purchase.originalTransactionID)
            }
        }
    }

    /// Returns whether a purchase of the receipt is canceled.
    ///
    /// The cancellation of a purchase without an expiration date applies to all restores of the purchase.
    func contains(_ purchase: ReceiptPurchase) -> Bool {
        transactions.contains(purchase.transactionID)
            || purchase.expiresDate == nil && lastingPurchases.contains(purchase.originalTransactionID)
    }
}
