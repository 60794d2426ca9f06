/// One page of a customer's transactions.
public struct HistoryResponse: Codable, Hashable, Sendable {
    /// The revision at the end of this page; send it to request the next page, or transactions that are added later.
    public var revision: String
    /// Whether the history has more transactions after this page.
    public var hasMore: Bool
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The server environment of the purchases.
    public var environment: String
    /// The transactions, at most twenty, signed at the time of the request.
    public var signedTransactions: [SignedTransaction]

    /// Creates a response.
    public init(
        revision: String, hasMore: Bool, bundleId: BundleID, appAppleId: Int64? = nil, environment: String,
        signedTransactions: [SignedTransaction]
    ) {
        self.revision = revision
        self.hasMore = hasMore
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.signedTransactions = signedTransactions
    }
}
