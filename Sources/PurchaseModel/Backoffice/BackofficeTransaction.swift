/// A transaction as a person sees it.
public struct BackofficeTransaction: Hashable, Sendable {
    /// When it was made.
    public var date: Timestamp
    /// The transaction.
    public var id: TransactionID
    /// The product.
    public var productID: ProductID
    /// How many.
    public var quantity: Int
    /// Whose it is: an account of the store, or a customer of the server.
    public var owner: String
    /// What is to be known of it in a word or two, such as `finished` or `revoked`.
    public var state: String

    /// Creates a row.
    public init(date: Timestamp, id: TransactionID, productID: ProductID, quantity: Int, owner: String, state: String) {
        self.date = date
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.owner = owner
        self.state = state
    }
}
