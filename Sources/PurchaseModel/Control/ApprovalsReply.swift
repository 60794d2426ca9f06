/// Payments that wait for a parent.
public struct ApprovalsReply: Codable, Hashable, Sendable {
    /// One payment that waits.
    public struct Pending: Codable, Hashable, Sendable {
        /// The payment.
        public var payment: PaymentID
        /// The child's account.
        public var account: AccountID
        /// What the child wants.
        public var productID: ProductID
        /// How many.
        public var quantity: Int

        /// Creates an element.
        public init(payment: PaymentID, account: AccountID, productID: ProductID, quantity: Int) {
            self.payment = payment
            self.account = account
            self.productID = productID
            self.quantity = quantity
        }
    }

    /// The payments, oldest first.
    public var pending: [Pending]

    /// Creates a reply.
    public init(pending: [Pending]) {
        self.pending = pending
    }
}
