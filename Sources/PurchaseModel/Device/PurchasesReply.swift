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

    /// Every transaction but restored ones and consumables that were finished, oldest first; ``limit`` at most, the newest ones.
    public var transactions: [SignedTransaction]
    /// The states of its subscriptions.
    public var statuses: [Status]

    /// How many transactions a reply holds at most.
    public static let limit = 10_000

    /// Creates a reply.
    public init(transactions: [SignedTransaction], statuses: [Status]) {
        self.transactions = transactions
        self.statuses = statuses
    }
}
