/// A customer's past at the App Store, to be had again in a local store.
///
/// It takes what Get Transaction History and Get All Subscription Statuses answered. Whoever signed it, the local store signs it anew.
public struct HistoryRequest: Codable, Hashable, Sendable {
    /// The most bytes of a request.
    public static let sizeLimit = 64 << 20

    /// Whose past it becomes; the account is opened when it is not there.
    public var account: AccountID
    /// The app that it is to be in; nil for the one that the transactions name.
    public var bundleID: BundleID?
    /// The transactions, in any order.
    public var signedTransactions: [SignedTransaction]
    /// What was intended with the subscriptions, of which the newest statement of each counts; nil for nothing known.
    public var signedRenewalInfos: [SignedRenewalInfo]?

    /// Creates a request.
    public init(
        account: AccountID, bundleID: BundleID? = nil, signedTransactions: [SignedTransaction],
        signedRenewalInfos: [SignedRenewalInfo]? = nil
    ) {
        self.account = account
        self.bundleID = bundleID
        self.signedTransactions = signedTransactions
        self.signedRenewalInfos = signedRenewalInfos
    }
}
