/// One page of a customer's transactions.
public struct HistoryResponse: Codable, Hashable, Sendable {
    /// Where the page ends: asks for the next page, and later for what is newer.
    public var revision: String
    /// Whether there is a next page.
    public var hasMore: Bool
    /// The app.
    public var bundleId: BundleID
    /// The app's number in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// Where the purchases were made.
    public var environment: String
    /// At most twenty, signed when they were asked for.
    public var signedTransactions: [SignedTransaction]

    /// Creates an answer.
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
