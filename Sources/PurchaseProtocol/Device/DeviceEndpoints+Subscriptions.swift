package import PurchaseModel

extension DeviceEndpoints {
    /// Changes a subscription of the account's, as its customer does in the store's settings.
    package static let manage = Endpoint<ManageRequest, PurchasesReply.Status>(.post, "/device/v1/subscriptions")
    /// Requests a refund of a transaction; refused (`refund-request.duplicate`) while a request waits for a decision, and after a refund.
    package static let requestRefund = Endpoint<RefundRequest, Empty>(.post, "/device/v1/refund-requests")
}

/// Something that a customer does with a subscription in the store's settings.
package struct ManageRequest: Codable, Hashable, Sendable {
    /// What a customer can do.
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
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
    package var transaction: TransactionID
    /// What.
    package var action: Action
    /// The product to change to.
    package var productID: ProductID?
    /// The payment of a change; a repeat carries the same.
    package var payment: PaymentID?

    /// Creates a request.
    package init(transaction: TransactionID, _ action: Action) {
        self.transaction = transaction
        self.action = action
    }

    /// Creates the request to change to another product.
    package init(transaction: TransactionID, changeTo product: ProductID, payment: PaymentID) {
        self.transaction = transaction
        action = .change
        productID = product
        self.payment = payment
    }
}
