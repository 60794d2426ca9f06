package import PurchaseModel

extension DeviceEndpoints {
    /// The account's transactions and subscriptions in the app, as they stand now, or what changed of them since the last time.
    package static let purchases = Endpoint<PurchasesRequest, PurchasesReply>(.post, "/device/v1/history")
}

/// Asks for what an account has in an app, or for what changed since the last time.
package struct PurchasesRequest: Codable, Hashable, Sendable {
    /// Where the last answer ended (``PurchasesReply/cursor``); nil for everything.
    package var after: String?

    /// Creates a request.
    package init(after: String? = nil) {
        self.after = after
    }
}

/// What an account has in an app: the base of `Transaction.all` and of subscription statuses.
package struct PurchasesReply: Codable, Hashable, Sendable {
    /// A subscription's state.
    package struct Status: Codable, Hashable, Sendable {
        /// The group.
        package var group: SubscriptionGroupID
        /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        package var status: Int
        /// The newest period.
        package var transaction: SignedTransaction
        /// What the store intends.
        package var renewalInfo: SignedRenewalInfo

        /// Creates an element.
        package init(group: SubscriptionGroupID, status: Int, transaction: SignedTransaction, renewalInfo: SignedRenewalInfo) {
            self.group = group
            self.status = status
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }
    }

    /// A transaction and whether it was delivered.
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

    /// Every transaction but restored ones that is new or changed since the cursor of the request, in the order of the changes;
    /// ``limit`` at most.
    package var transactions: [Purchase]
    /// The states of all subscriptions; empty unless this is the last page.
    package var statuses: [Status]
    /// What to go on with: at once when there are more, later to hear of changes.
    package var cursor: String
    /// Whether there are more.
    package var hasMore: Bool
    /// Whether what was told before is to be forgotten, this being the first page of what there is; nil for no.
    ///
    /// The cursor of the request counts no more, because a tester deleted transactions.
    package var startsOver: Bool?

    /// How many transactions a reply holds at most.
    package static let limit = 1_000

    /// Creates a reply.
    package init(transactions: [Purchase], statuses: [Status], cursor: String, hasMore: Bool) {
        self.transactions = transactions
        self.statuses = statuses
        self.cursor = cursor
        self.hasMore = hasMore
    }
}
