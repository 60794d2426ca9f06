package import PurchaseModel

extension ControlEndpoints {
    /// Imports a transaction history from the App Store into an account.
    package static let importHistory = Endpoint<ImportHistoryRequest, ImportHistoryReply>(.post, "/control/v1/import/history")
}

/// A customer's transaction history at the App Store, for import into a local store.
///
/// The history consists of responses to Get Transaction History and Get All Subscription Statuses. The local store signs the transactions
/// again, regardless of their original signer.
package struct ImportHistoryRequest: Codable, Hashable, Sendable {
    /// The maximum size of a request in bytes.
    package static let sizeLimit = 64 << 20

    /// The account that receives the history; the store creates a missing account.
    package var account: AccountID
    /// The app that receives the history; nil for the app in the transactions.
    package var bundleID: BundleID?
    /// The transactions, in any order.
    package var signedTransactions: [SignedTransaction]
    /// The renewal info of the subscriptions, of which the newest for each subscription counts; nil without renewal info.
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

/// The result of an import of a transaction history.
package struct ImportHistoryReply: Codable, Hashable, Sendable {
    /// The account that received the history.
    package var account: AccountID
    /// The number of imported transactions.
    package var importedCount: Int
    /// The number of transactions that the account had before.
    package var existingCount: Int
    /// The number of skipped Family Sharing transactions, which belong to the purchaser's history.
    package var sharedCount: Int
    /// The number of subscriptions that continue from their imported state.
    package var subscriptionCount: Int
    /// The number of transactions in the history, including skipped ones, whose App Store signature was verified.
    package var verifiedCount: Int

    /// Creates a reply.
    package init(account: AccountID, importedCount: Int, existingCount: Int, sharedCount: Int, subscriptionCount: Int, verifiedCount: Int) {
        self.account = account
        self.importedCount = importedCount
        self.existingCount = existingCount
        self.sharedCount = sharedCount
        self.subscriptionCount = subscriptionCount
        self.verifiedCount = verifiedCount
    }
}
