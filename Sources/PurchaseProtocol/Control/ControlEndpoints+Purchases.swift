package import PurchaseModel

extension ControlEndpoints {
    /// Buys for an account outside the app: the transaction comes to its devices by itself.
    package static let buy = Endpoint<BuyRequest, PurchaseReply>(.post, "/control/v1/purchases")
    /// Offers an app's product to an account of the store's own accord.
    package static let promote = Endpoint<PromotionRequest, Empty>(.post, "/control/v1/promotions")
}

/// A purchase outside the app: in the store's own app, by a code, or by a test.
package struct BuyRequest: Codable, Hashable, Sendable {
    /// Who buys; the account is opened when it is not there.
    package var account: AccountID
    /// The product.
    package var productID: ProductID
    /// How many, from 1 to 10; nil for one.
    package var quantity: Int?
    /// The app; nil for the store's first one.
    package var bundleID: BundleID?
    /// The customer at the developer's own server.
    package var appAccountToken: CustomerID?
    /// The offer; promotional ones need no signature here.
    package var offer: OfferChoice?
    /// Makes a repeat harmless; nil for a payment of its own.
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

/// A product that the store offers to an account of its own accord, as on the app's page in the App Store.
package struct PromotionRequest: Codable, Hashable, Sendable {
    /// To whom.
    package var account: AccountID
    /// What.
    package var productID: ProductID
    /// The app; nil for the store's first one.
    package var bundleID: BundleID?
    /// A win-back offer that goes with it.
    package var offerID: String?

    /// Creates a request.
    package init(account: AccountID, productID: ProductID, bundleID: BundleID? = nil, offerID: String? = nil) {
        self.account = account
        self.productID = productID
        self.bundleID = bundleID
        self.offerID = offerID
    }
}
