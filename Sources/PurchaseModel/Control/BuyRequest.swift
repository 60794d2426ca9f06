/// A purchase outside the app: in the store's own app, by a code, or by a test.
public struct BuyRequest: Codable, Hashable, Sendable {
    /// Who buys; the account is opened when it is not there.
    public var account: AccountID
    /// The product.
    public var productID: ProductID
    /// How many, from 1 to 10; nil for one.
    public var quantity: Int?
    /// The app; nil for the store's first one.
    public var bundleID: BundleID?
    /// The customer at the developer's own server.
    public var appAccountToken: CustomerID?
    /// The offer; promotional ones need no signature here.
    public var offer: OfferChoice?
    /// Makes a repeat harmless; nil for a payment of its own.
    public var payment: PaymentID?

    /// Creates a request.
    public init(
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
