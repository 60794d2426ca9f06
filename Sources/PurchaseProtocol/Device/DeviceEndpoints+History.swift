package import PurchaseModel

extension DeviceEndpoints {
    /// Lists the account's transactions and subscription statuses in the app, or their changes since a cursor.
    package static let purchases = Endpoint<PurchasesRequest, PurchasesReply>(.post, "/device/v1/history")
}

/// A request for an account's purchases in an app, or for their changes since a cursor.
package struct PurchasesRequest: Codable, Hashable, Sendable {
    /// The cursor of the previous reply (``PurchasesReply/cursor``); nil for all purchases.
    package var after: String?

    /// Creates a request.
    package init(after: String? = nil) {
        self.after = after
    }
}

/// An account's purchases in an app: the source of `Transaction.all` and of subscription statuses.
package struct PurchasesReply: Codable, Hashable, Sendable {
    /// The status of a subscription.
    package struct Status: Codable, Hashable, Sendable {
        /// The subscription group.
        package var group: SubscriptionGroupID
        /// The status: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        package var status: Int
        /// The transaction of the newest period.
        package var transaction: SignedTransaction
        /// The current renewal info.
        package var renewalInfo: SignedRenewalInfo

        /// Creates an element.
        package init(group: SubscriptionGroupID, status: Int, transaction: SignedTransaction, renewalInfo: SignedRenewalInfo) {
            self.group = group
            self.status = status
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }
    }

    /// A transaction, and whether it is finished.
    package struct Purchase: Codable, Hashable, Sendable {
        /// The transaction.
        package var transaction: SignedTransaction
        /// Whether a device has finished it.
        package var isFinished: Bool

        /// Creates an element.
        package init(transaction: SignedTransaction, isFinished: Bool) {
            self.transaction = transaction
            self.isFinished = isFinished
        }
    }

    /// The transactions that are new or changed since the cursor of the request, except restored ones, in the order of the changes; at
    /// most ``limit``.
    package var transactions: [Purchase]
    /// The statuses of all subscriptions; empty except on the last page.
    package var statuses: [Status]
    /// The cursor for the next request: immediately when more pages follow, later to receive changes.
    package var cursor: String
    /// Whether more pages follow.
    package var hasMore: Bool
    /// Whether the device discards earlier replies, because this is the first page of a complete list; nil for no.
    ///
    /// The cursor of the request is invalid after a tester deletes transactions.
    package var startsOver: Bool?

    /// The maximum number of transactions in a reply.
    package static let limit = 1_000

    /// Creates a reply.
    package init(transactions: [Purchase], statuses: [Status], cursor: String, hasMore: Bool) {
        self.transactions = transactions
        self.statuses = statuses
        self.cursor = cursor
        self.hasMore = hasMore
    }
}
