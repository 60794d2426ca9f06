package import PurchaseModel
import PurchaseProof

/// A transaction in the payment queue: its signed form, and the values that the app sees.
///
/// The initializer requires a verified transaction. A value that is read from the journal is not trusted: its signed form is verified
/// again, and must lead to the same values.
package struct RecordedTransaction: Hashable, Sendable {
    /// The identifier of the transaction.
    package let id: TransactionID
    /// The date of the purchase or the restore.
    package let date: Timestamp
    /// The transaction as the store signed it.
    package let signed: SignedTransaction
    /// The content that the store hosts for the transaction; nil for none.
    package let content: HostedContent?

    init(_ transaction: VerifiedTransaction, content: HostedContent? = nil) {
        self.content = content
        id = transaction.payload.transactionId
        date = transaction.payload.purchaseDate
        signed = transaction.original
    }
}
