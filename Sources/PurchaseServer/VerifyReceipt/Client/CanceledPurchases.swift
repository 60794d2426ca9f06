import PurchaseModel
import PurchaseProof

/// The purchases that a response of `verifyReceipt` reports as canceled.
///
/// The response is unsigned, so the server reads only the cancellations. A false cancellation excludes a purchase of the signed receipt,
/// and adds no purchase.
struct CanceledPurchases: Hashable, Sendable {
    private var transactions: Set<TransactionID> = []
    private var lastingPurchases: Set<TransactionID> = []

    /// Creates an empty value, for a receipt that was verified without `verifyReceipt`.
    init() {}

    init(_ response: VerifyReceiptResponse) {
        for purchase in (response.receipt?.inApp ?? []) + (response.latestReceiptInfo ?? []) {
            // Skip an upgraded period, which has a cancellation date although its credits are not refunded.
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
