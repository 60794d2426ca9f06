public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Imports a transaction history from the App Store into an account.
    package static let importHistory = Endpoint<ImportHistoryRequest, ImportHistoryReply>(.post, "/control/v1/import/history")
}

/// A customer's transaction history at the App Store, for import into a local store.
///
/// The history consists of responses to Get Transaction History and Get All Subscription Statuses. The local store signs the transactions
/// again, regardless of their original signer.
package struct ImportHistoryRequest: Codable, Hashable, Sendable {
    /// The maximum size of a request body in bytes.
    package static let sizeLimit = 64 << 20

    /// The account that receives the history; the store creates the account if it does not exist.
    package var account: AccountID
    /// The app that receives the history; nil for the app that the transactions name.
    package var bundleID: BundleID?
    /// The transactions, in any order.
    package var signedTransactions: [SignedTransaction]
    /// The renewal info of the subscriptions; nil for none.
    ///
    /// If a subscription has several, the store uses the newest.
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

/// The result of importing a transaction history.
public struct ImportHistoryReply: Codable, Hashable, Sendable {
    /// The account that received the history.
    public var account: AccountID
    /// The number of imported transactions.
    public var importedCount: Int
    /// The number of transactions that the account already had before the import.
    public var existingCount: Int
    /// The number of existing transactions that changed, because the history has a version that was signed later.
    public var updatedCount: Int
    /// The number of Family Sharing transactions, which are skipped because they belong to the purchaser's history.
    public var sharedCount: Int
    /// The number of imported subscriptions, which continue from their imported state.
    public var subscriptionCount: Int
    /// The number of transactions, including skipped ones, that carry a valid signature of the App Store.
    public var verifiedCount: Int

    /// Creates a reply.
    package init(
        account: AccountID, importedCount: Int, existingCount: Int, updatedCount: Int, sharedCount: Int, subscriptionCount: Int,
        verifiedCount: Int
    ) {
        self.account = account
        self.importedCount = importedCount
        self.existingCount = existingCount
        self.updatedCount = updatedCount
        self.sharedCount = sharedCount
        self.subscriptionCount = subscriptionCount
        self.verifiedCount = verifiedCount
    }
}
