/// One member of the lists that a transaction receipt is made of.
public struct TransactionReceiptEntry: Hashable, Sendable {
    /// Its name, such as `product-id`.
    public let name: String
    /// Its text.
    public let value: String
}
