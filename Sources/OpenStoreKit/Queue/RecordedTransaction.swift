package import PurchaseModel
import PurchaseProof

/// What the journal keeps of a verified transaction: the signed original, and what the app is shown of it.
///
/// It is made from a verified value only. Read back from a file it proves nothing: it is verified again, and must come out the same.
package struct RecordedTransaction: Codable, Hashable, Sendable {
    /// The transaction.
    package let id: TransactionID
    /// When it was purchased, or restored.
    package let date: Timestamp
    /// The transaction as the store signed it.
    package let signed: SignedTransaction
    /// What the store hosts for it; nil for nothing.
    package let content: HostedContent?

    init(_ transaction: VerifiedTransaction, content: HostedContent? = nil) {
        self.content = content
        id = transaction.payload.transactionId
        date = transaction.payload.purchaseDate
        signed = transaction.original
    }
}
