/// What an account has in an app: the base of `Transaction.all` and of subscription statuses.
public struct PurchasesReply: Codable, Hashable, Sendable {
    /// A subscription's state.
    public struct Status: Codable, Hashable, Sendable {
        /// The group.
        public var group: SubscriptionGroupID
        /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        public var status: Int
        /// The newest period.
        public var transaction: SignedTransaction
        /// What the store intends.
        public var renewalInfo: SignedRenewalInfo

        /// Creates an element.
        public init(group: SubscriptionGroupID, status: Int, transaction: SignedTransaction, renewalInfo: SignedRenewalInfo) {
            self.group = group
            self.status = status
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }
    }

    /// A transaction and whether it was delivered.
    public struct Purchase: Codable, Hashable, Sendable {
        /// The transaction.
        public var transaction: SignedTransaction
        /// Whether a device has finished it.
        public var isFinished: Bool

        /// Creates an element.
        public init(transaction: SignedTransaction, isFinished: Bool) {
            self.transaction = transaction
            self.isFinished = isFinished
        }
    }

    /// Every transaction but restored ones that is new or changed since the cursor of the request, in the order of the changes;
    /// ``limit`` at most.
    public var transactions: [Purchase]
    /// The states of all subscriptions; empty unless this is the last page.
    public var statuses: [Status]
    /// What to go on with: at once when there are more, later to hear of changes.
    public var cursor: String
    /// Whether there are more.
    public var hasMore: Bool
    /// Whether what was told before is to be forgotten, this being the first page of what there is; nil for no.
    ///
    /// The cursor of the request counts no more, because a tester deleted transactions.
    public var startsOver: Bool?

    /// How many transactions a reply holds at most.
    public static let limit = 1_000

    /// Creates a reply.
    public init(transactions: [Purchase], statuses: [Status], cursor: String, hasMore: Bool) {
        self.transactions = transactions
        self.statuses = statuses
        self.cursor = cursor
        self.hasMore = hasMore
    }
}
