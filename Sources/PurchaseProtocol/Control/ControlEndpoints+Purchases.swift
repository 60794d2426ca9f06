package import PurchaseModel

extension ControlEndpoints {
    /// Makes a purchase for an account outside the app; the account's devices receive the transaction as an update.
    package static let buy = Endpoint<BuyRequest, PurchaseReply>(.post, "/control/v1/purchases")
    /// Simulates a promoted in-app purchase.
    package static let promote = Endpoint<PromotionRequest, Empty>(.post, "/control/v1/promotions")
}

/// A purchase outside the app: in the App Store app, with an offer code, or by a test.
package struct BuyRequest: Codable, Hashable, Sendable {
    /// The purchasing account; the store creates a missing account.
    package var account: AccountID
    /// The product.
    package var productID: ProductID
    /// The quantity, from 1 to 10; nil for one.
    package var quantity: Int?
    /// The app; nil for the store's first app.
    package var bundleID: BundleID?
    /// The customer of the developer's server.
    package var appAccountToken: CustomerID?
    /// The offer; promotional offers need no signature in this request.
    package var offer: OfferChoice?
    /// The payment identifier, which makes a repeated request harmless; nil for a new payment.
    package var payment: PaymentID?

    /// Creates a request.
    package init(
        account: AccountID, productID: ProductID, quantity: Int? = nil, bundleID: BundleID? = nil, appAccountToken: CustomerID? = nil,
        offer: OfferChoice? = nil, payment: PaymentID? = nil
    ) {
        self.account = account
        self.productID = productID
        self.quantity = quantity
        self.bundleID = bundleID
        self.appAccountToken = appAccountToken
        self.offer = offer
        self.payment = payment
    }
}

/// A promoted in-app purchase: a product that an account selects on the app's page in the App Store.
package struct PromotionRequest: Codable, Hashable, Sendable {
    /// The account that selects the product.
    package var account: AccountID
    /// The promoted product.
    package var productID: ProductID
    /// The app; nil for the store's first app.
    package var bundleID: BundleID?
    /// The win-back offer of the promoted purchase.
    package var offerID: String?

    /// Creates a request.
    package init(account: AccountID, productID: ProductID, bundleID: BundleID? = nil, offerID: String? = nil) {
        self.account = account
        self.productID = productID
        self.bundleID = bundleID
        self.offerID = offerID
    }
}
