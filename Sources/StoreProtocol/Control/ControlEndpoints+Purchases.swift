package import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Makes a purchase for an account outside the app; the account's devices receive the transaction as an update.
    package static let buy = Endpoint<BuyRequest, PurchaseReply>(.post, "/control/v1/purchases")
    /// Simulates a promoted in-app purchase, which a customer begins on the App Store.
    package static let promote = Endpoint<PromotionRequest, Empty>(.post, "/control/v1/promotions")
}

/// A request to make a purchase outside the app, as in the App Store app or with an offer code.
package struct BuyRequest: Codable, Hashable, Sendable {
    /// The account that makes the purchase; the store creates the account if it does not exist.
    package var account: AccountID
    /// The identifier of the product to purchase.
    package var productID: ProductID
    /// The quantity, from 1 to 10; nil for one.
    package var quantity: Int?
    /// The app that sells the product; nil for the store's first app.
    package var bundleID: BundleID?
    /// The identifier of the customer of the developer's server; nil for none.
    package var appAccountToken: CustomerID?
    /// The requested offer, nil for none; a promotional offer needs no signature here.
    package var offer: OfferChoice?
    /// The requested billing plan; nil for the upfront plan.
    package var billingPlan: BillingPlanType?
    /// The number of seats that the account wants to have after the purchase; nil for a purchase that does not state a number.
    package var seats: Int?
    /// The payment identifier, with which a repeated request charges nothing more; nil for a new payment.
    package var payment: PaymentID?

    /// Creates a request.
    package init(
        account: AccountID, productID: ProductID, quantity: Int? = nil, bundleID: BundleID? = nil, appAccountToken: CustomerID? = nil,
        offer: OfferChoice? = nil, billingPlan: BillingPlanType? = nil, seats: Int? = nil, payment: PaymentID? = nil
    ) {
        self.account = account
        self.productID = productID
        self.quantity = quantity
        self.bundleID = bundleID
        self.appAccountToken = appAccountToken
        self.offer = offer
        self.billingPlan = billingPlan
        self.seats = seats
        self.payment = payment
    }
}

/// A request to simulate a promoted in-app purchase: a product that an account selects on the app's page in the App Store.
package struct PromotionRequest: Codable, Hashable, Sendable {
    /// The account that selects the product.
    package var account: AccountID
    /// The identifier of the promoted product.
    package var productID: ProductID
    /// The app that sells the product; nil for the store's first app.
    package var bundleID: BundleID?
    /// The identifier of a win-back offer for the purchase; nil for none.
    package var offerID: String?

    /// Creates a request.
    package init(account: AccountID, productID: ProductID, bundleID: BundleID? = nil, offerID: String? = nil) {
        self.account = account
        self.productID = productID
        self.bundleID = bundleID
        self.offerID = offerID
    }
}
