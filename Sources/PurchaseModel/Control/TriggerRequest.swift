/// Asks for a notification of a kind, with a history behind it that could have caused it.
public struct TriggerRequest: Codable, Hashable, Sendable {
    /// What is to have happened, such as `DID_RENEW`.
    public var type: String
    /// A finer distinction, such as `BILLING_RECOVERY`.
    public var subtype: String?
    /// To whom; nil for a new account.
    public var account: AccountID?
    /// With which product; nil for one that fits, which is made up when the app sells none.
    public var product: ProductID?
    /// In which app; nil for the store's first one.
    public var bundleID: BundleID?

    /// Creates a request.
    public init(
        type: String, subtype: String? = nil, account: AccountID? = nil, product: ProductID? = nil, bundleID: BundleID? = nil
    ) {
        self.type = type
        self.subtype = subtype
        self.account = account
        self.product = product
        self.bundleID = bundleID
    }
}
