/// A product that the store offers to an account of its own accord, as on the app's page in the App Store.
public struct PromotionRequest: Codable, Hashable, Sendable {
    /// To whom.
    public var account: AccountID
    /// What.
    public var productID: ProductID
    /// The app; nil for the store's first one.
    public var bundleID: BundleID?
    /// A win-back offer that goes with it.
    public var offerID: String?

    /// Creates a request.
    public init(account: AccountID, productID: ProductID, bundleID: BundleID? = nil, offerID: String? = nil) {
        self.account = account
        self.productID = productID
        self.bundleID = bundleID
        self.offerID = offerID
    }
}
