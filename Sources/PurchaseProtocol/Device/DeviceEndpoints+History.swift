package import PurchaseModel

extension DeviceEndpoints {
    /// Lists the account's transactions and subscription statuses in the app, or their changes since a revision.
    package static let history = Endpoint<HistoryRequest, HistoryReply>(.post, "/device/v1/history")
}

/// A request for an account's purchases in an app, or for their changes since a revision.
package struct HistoryRequest: Codable, Hashable, Sendable {
    /// The revision of the previous reply (``HistoryReply/revision``); nil for all purchases.
    package var revision: String?

    /// Creates a request.
    package init(revision: String? = nil) {
        self.revision = revision
    }
}

/// An account's purchases in an app: the source of `Transaction.all` and of subscription statuses.
package struct HistoryReply: Codable, Hashable, Sendable {
    /// The status of a subscription.
    package struct Status: Codable, Hashable, Sendable {
        /// The subscription group.
        package var group: SubscriptionGroupID
        /// The status: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        package var status: Int
        /// The transaction of the newest period.
        package var signedTransaction: SignedTransaction
        /// The current renewal info.
        package var signedRenewalInfo: SignedRenewalInfo

        /// Creates an element.
        package init(group: SubscriptionGroupID, status: Int, signedTransaction: SignedTransaction, signedRenewalInfo: SignedRenewalInfo) {
            self.group = group
            self.status = status
            self.signedTransaction = signedTransaction
            self.signedRenewalInfo = signedRenewalInfo
        }
    }

    /// A transaction, and whether it is finished.
    package struct Purchase: Codable, Hashable, Sendable {
        /// The transaction.
        package var signedTransaction: SignedTransaction
        /// Whether a device has finished it.
        package var isFinished: Bool

        /// Creates an element.
        package init(signedTransaction: SignedTransaction, isFinished: Bool) {
            self.signedTransaction = signedTransaction
            self.isFinished = isFinished
        }
    }

    /// The transactions that are new or changed since the revision of the request, except restored ones, in the order of the changes; at
    /// most ``limit``.
    package var transactions: [Purchase]
    /// The statuses of all subscriptions; empty except on the last page.
    package var statuses: [Status]
    /// The revision for the next request: immediately when more pages follow, later to receive changes.
    package var revision: String
    /// Whether more pages follow.
    package var hasMore: Bool
    /// Whether the device discards earlier replies, because this is the first page of a complete list; nil for no.
    ///
    /// The revision of the request is invalid after a tester deletes transactions.
    package var replacesHistory: Bool?

    /// The maximum number of transactions in a reply.
    package static let limit = 1_000

    /// Creates a reply.
    package init(transactions: [Purchase], statuses: [Status], revision: String, hasMore: Bool) {
        self.transactions = transactions
        self.statuses = statuses
        self.revision = revision
        self.hasMore = hasMore
    }
}
