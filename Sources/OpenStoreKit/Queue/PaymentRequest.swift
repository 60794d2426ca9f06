package import PurchaseModel
package import StoreProtocol

/// What the app requests with a payment, which does not change while the payment is in the queue.
package struct PaymentRequest: Hashable, Sendable {
    /// The identifier of the payment, which the device creates; the store carries out a payment with an identifier once.
    package let id: PaymentID
    /// The identifier of the product.
    package let productID: ProductID
    /// The quantity.
    package let quantity: Int
    /// The application username; a UUID is sent as `appAccountToken`; nil for none.
    package let username: String?
    /// The store's description of the product when the payment was added, so that the sheet can be shown without a network.
    package let product: StoreProduct?
    /// The requested offer; nil for none.
    package let offer: OfferChoice?
    /// The requested billing plan; nil for the upfront plan.
    package let billingPlan: BillingPlanType?
    /// The number of seats that the account wants to have after the payment; nil for a payment that does not state a number.
    package let seats: Int?
    /// Whether the payment needs a parent's approval in the sandbox, regardless of the account.
    package let simulatesAskToBuy: Bool
    /// Whether StoreKit 2's purchase call made the payment; the call returns a failure, so that the app does not have to finish it.
    var isPurchaseCall: Bool

    /// Creates a request for a payment.
    ///
    /// - Parameters:
    ///   - id: The identifier of the payment.
    ///   - productID: The identifier of the product.
    ///   - quantity: The quantity.
    ///   - username: The application username; nil for none.
    ///   - product: The store's description of the product; nil if it is not available.
    ///   - offer: The requested offer; nil for none.
    ///   - billingPlan: The requested billing plan; nil for the upfront plan.
    ///   - seats: The number of seats after the payment; nil for a payment that does not state a number.
    ///   - simulatesAskToBuy: Whether the payment needs a parent's approval in the sandbox, regardless of the account.
    ///   - isPurchaseCall: Whether StoreKit 2's purchase call waits for the result.
    package init(
        id: PaymentID, productID: ProductID, quantity: Int, username: String?, product: StoreProduct?, offer: OfferChoice? = nil,
        billingPlan: BillingPlanType? = nil, seats: Int? = nil, simulatesAskToBuy: Bool = false, isPurchaseCall: Bool = false
    ) {
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.username = username
        self.product = product
        self.offer = offer
        self.billingPlan = billingPlan
        self.seats = seats
        self.simulatesAskToBuy = simulatesAskToBuy
        self.isPurchaseCall = isPurchaseCall
    }
}

/// The user that the `applicationUsername` of a payment identifies.
///
/// A username that is a UUID becomes the `appAccountToken` of transactions. No transaction contains any other username.
package struct ApplicationUser: Hashable, Sendable {
    /// The username as the identifier of a customer; nil if the username is not a UUID.
    package let token: CustomerID?
    /// The username; nil if it is a UUID.
    package let username: String?

    /// Creates a user from an `applicationUsername`; returns nil if the username is absent or empty.
    package init?(_ username: String?) {
        guard let username, !username.isEmpty else { return nil }
        let customer = CustomerID(username)
        let isCustomer = customer.isWellFormed
        token = isCustomer ? customer : nil
        self.username = isCustomer ? nil : username
    }
}
