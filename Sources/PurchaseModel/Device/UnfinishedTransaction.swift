/// One transaction that a device has not finished.
public struct UnfinishedTransaction: Codable, Hashable, Sendable {
    /// The payment it answers; nil for renewals, restores and purchases made elsewhere.
    public var payment: PaymentID?
    /// The transaction.
    public var transaction: SignedTransaction
    /// The first transaction, when this one restores it.
    public var restoredFrom: SignedTransaction?
    /// What the store hosts for the product; nil for nothing.
    public var content: HostedContent?

    /// Creates an element.
    public init(
        payment: PaymentID?, transaction: SignedTransaction, restoredFrom: SignedTransaction? = nil, content: HostedContent? = nil
    ) {
        self.payment = payment
        self.transaction = transaction
        self.restoredFrom = restoredFrom
        self.content = content
    }
}
