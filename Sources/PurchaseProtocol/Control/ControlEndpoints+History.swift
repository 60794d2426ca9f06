package import PurchaseModel

extension ControlEndpoints {
    /// Gives an account the past that a real customer has at the App Store.
    package static let importHistory = Endpoint<HistoryRequest, HistoryReply>(.post, "/control/v1/import/history")
}

/// A customer's past at the App Store, to be had again in a local store.
///
/// It takes what Get Transaction History and Get All Subscription Statuses answered. Whoever signed it, the local store signs it anew.
package struct HistoryRequest: Codable, Hashable, Sendable {
    /// The most bytes of a request.
    package static let sizeLimit = 64 << 20

    /// Whose past it becomes; the account is opened when it is not there.
    package var account: AccountID
    /// The app that it is to be in; nil for the one that the transactions name.
    package var bundleID: BundleID?
    /// The transactions, in any order.
    package var signedTransactions: [SignedTransaction]
    /// What was intended with the subscriptions, of which the newest statement of each counts; nil for nothing known.
    package var signedRenewalInfos: [SignedRenewalInfo]?

    /// Creates a request.
    package init(
        account: AccountID, bundleID: BundleID? = nil, signedTransactions: [SignedTransaction],
        signedRenewalInfos: [SignedRenewalInfo]? = nil
    ) {
        self.account = account
        self.bundleID = bundleID
        self.signedTransactions = signedTransactions
        self.signedRenewalInfos = signedRenewalInfos
    }
}

/// What became of a customer's past.
package struct HistoryReply: Codable, Hashable, Sendable {
    /// Whose past it is now.
    package var account: AccountID
    /// How many transactions were taken in.
    package var transactions: Int
    /// How many were there already.
    package var known: Int
    /// How many a relative shares, which are left out: they belong to that relative's past.
    package var shared: Int
    /// How many subscriptions go on from where they were.
    package var subscriptions: Int
    /// How many of the statements are signed by the App Store; the others could have been written by anybody.
    package var genuine: Int

    /// Creates a reply.
    package init(account: AccountID, transactions: Int, known: Int, shared: Int, subscriptions: Int, genuine: Int) {
        self.account = account
        self.transactions = transactions
        self.known = known
        self.shared = shared
        self.subscriptions = subscriptions
        self.genuine = genuine
    }
}
