/// Something that a customer does with a subscription in the store's settings.
public struct ManageRequest: Codable, Hashable, Sendable {
    /// What a customer can do.
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// Switches renewal on.
        case enableAutoRenew = "enable-auto-renew"
        /// Switches renewal off.
        case disableAutoRenew = "disable-auto-renew"
        /// Changes to another product of the group, at once or with the next renewal.
        case change
        /// Agrees to the higher price.
        case agree
        /// Does not agree to the higher price.
        case disagree
    }

    /// A transaction of the subscription.
    public var transaction: TransactionID
    /// What.
    public var action: Action
    /// The product to change to.
    public var productID: ProductID?
    /// The payment of a change; a repeat carries the same.
    public var payment: PaymentID?

    /// Creates a request.
    public init(transaction: TransactionID, _ action: Action) {
        self.transaction = transaction
        self.action = action
    }

    /// Creates the request to change to another product.
    public init(transaction: TransactionID, changeTo product: ProductID, payment: PaymentID) {
        self.transaction = transaction
        action = .change
        productID = product
        self.payment = payment
    }
}
