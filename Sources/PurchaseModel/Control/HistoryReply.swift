/// What became of a customer's past.
public struct HistoryReply: Codable, Hashable, Sendable {
    /// Whose past it is now.
    public var account: AccountID
    /// How many transactions were taken in.
    public var transactions: Int
    /// How many were there already.
    public var known: Int
    /// How many a relative shares, which are left out: they belong to that relative's past.
    public var shared: Int
    /// How many subscriptions go on from where they were.
    public var subscriptions: Int
    /// How many of the statements are signed by the App Store; the others could have been written by anybody.
    public var genuine: Int

    /// Creates a reply.
    public init(account: AccountID, transactions: Int, known: Int, shared: Int, subscriptions: Int, genuine: Int) {
        self.account = account
        self.transactions = transactions
        self.known = known
        self.shared = shared
        self.subscriptions = subscriptions
        self.genuine = genuine
    }
}
