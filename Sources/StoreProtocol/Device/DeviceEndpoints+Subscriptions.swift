package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Changes a subscription of the account, as in the account's subscription settings.
    package static let manageSubscription = Endpoint<ManageSubscriptionRequest, HistoryReply.Status>(.post, "/device/v1/subscriptions")
    /// Requests a refund of a transaction.
    ///
    /// The store refuses the request (`refund-request.duplicate`) while another refund request is pending, and after a refund.
    package static let requestRefund = Endpoint<RefundRequest, Empty>(.post, "/device/v1/refund-requests")
}

/// A change of a subscription that a customer makes in the subscription settings.
package struct ManageSubscriptionRequest: Codable, Hashable, Sendable {
    /// The kind of change.
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// Enables auto-renew.
        case enableAutoRenew = "enable-auto-renew"
        /// Disables auto-renew.
        case disableAutoRenew = "disable-auto-renew"
        /// Changes to another product of the subscription group, at once or at the next renewal.
        case changeProduct = "change-product"
        /// Consents to the subscription's price increase.
        case consentToPriceIncrease = "consent-to-price-increase"
        /// Declines the subscription's price increase.
        case declinePriceIncrease = "decline-price-increase"
    }

    /// The identifier of any transaction of the subscription.
    package var transactionID: TransactionID
    /// The kind of change.
    package var action: Action
    /// The identifier of the new product for ``Action/changeProduct``; nil for other actions.
    package var productID: ProductID?
    /// The payment identifier for ``Action/changeProduct``, the same in a repeated request; nil for other actions.
    package var payment: PaymentID?

    /// Creates a request for an action other than a change of product.
    package init(transactionID: TransactionID, _ action: Action) {
        self.transactionID = transactionID
        self.action = action
    }

    /// Creates a request to change to another product of the subscription group.
    package init(transactionID: TransactionID, changeTo product: ProductID, payment: PaymentID) {
        self.transactionID = transactionID
        action = .changeProduct
        productID = product
        self.payment = payment
    }
}
