package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Lists the account's transactions and subscription statuses in the app, or their changes since a revision.
    package static let history = Endpoint<HistoryRequest, HistoryReply>(.post, "/device/v1/history")
}

/// A request for an account's transactions in an app, or for the changes since a revision.
package struct HistoryRequest: Codable, Hashable, Sendable {
    /// The revision of the previous reply (``HistoryReply/revision``); nil for all transactions.
    package var revision: String?

    /// Creates a request.
    package init(revision: String? = nil) {
        self.revision = revision
    }
}

/// An account's transactions and subscription statuses in an app, which `Transaction.all` and the subscription statuses of StoreKit show.
package struct HistoryReply: Codable, Hashable, Sendable {
    /// The status of a subscription, as the App Store Server API states it.
    package struct Status: Codable, Hashable, Sendable {
        /// The identifier of the subscription group.
        package var group: SubscriptionGroupID
        /// The status: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        package var status: Int
        /// The transaction of the subscription's newest period.
        package var signedTransaction: SignedTransaction
        /// The current renewal info of the subscription.
        package var signedRenewalInfo: SignedRenewalInfo

        /// Creates a status.
        package init(group: SubscriptionGroupID, status: Int, signedTransaction: SignedTransaction, signedRenewalInfo: SignedRenewalInfo) {
            self.group = group
            self.status = status
            self.signedTransaction = signedTransaction
            self.signedRenewalInfo = signedRenewalInfo
        }
    }

    /// A transaction of the history, and whether it is finished.
    package struct Purchase: Codable, Hashable, Sendable {
        /// The transaction as the store signed it.
        package var signedTransaction: SignedTransaction
        /// Whether the app has finished the transaction on any device.
        package var isFinished: Bool

        /// Creates an entry of the history.
        package init(signedTransaction: SignedTransaction, isFinished: Bool) {
            self.signedTransaction = signedTransaction
            self.isFinished = isFinished
        }
    }

    /// The transactions that are new or changed since the request's revision, in the order of the changes; at most ``limit``.
    ///
    /// Restored transactions are not included.
    package var transactions: [Purchase]
    /// The statuses of all subscriptions of the account; empty except on the last page.
    package var statuses: [Status]
    /// The revision for the next request, which fetches the next page, or after the last page the changes since then.
    package var revision: String
    /// Whether more pages follow this reply.
    package var hasMore: Bool
    /// Whether the device discards its stored history, because this is the first page of the complete history; nil counts as false.
    ///
    /// The store replaces the history if a tester has deleted transactions since the request's revision, or ever if the request has none.
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
