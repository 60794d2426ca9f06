import GRDB
import PurchaseModel

/// One account's subscription in one group: the model's value, and where it belongs.
struct SubscriptionRow: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "subscriptions"

    /// The first transaction, which names the subscription.
    let id: TransactionID
    let account: AccountID
    let groupID: SubscriptionGroupID
    /// Stored as JSON.
    private(set) var subscription: Subscription
    /// The value's own, in a column of its own to be found by.
    private(set) var nextDue: Timestamp?

    init(account: AccountID, groupID: SubscriptionGroupID, subscription: Subscription) {
        self.id = subscription.originalTransactionID
        self.account = account
        self.groupID = groupID
        self.subscription = subscription
        self.nextDue = subscription.nextDue
    }

    /// Passes an event on to the value.
    mutating func handle(_ event: SubscriptionEvent, at now: Timestamp) -> [SubscriptionAction] {
        defer { nextDue = subscription.nextDue }
        return subscription.handle(event, at: now)
    }

    /// The one to which something happens first, not later than `limit`.
    static func earliestDue(until limit: Timestamp, _ db: Database) throws -> SubscriptionRow? {
        let sql = "SELECT * FROM subscriptions WHERE nextDue <= ? ORDER BY nextDue, rowid LIMIT 1"
        return try fetchOne(db, sql: sql, arguments: [limit.milliseconds])
    }

    /// All of one account.
    static func all(of account: AccountID, _ db: Database) throws -> [SubscriptionRow] {
        try fetchAll(db, sql: "SELECT * FROM subscriptions WHERE account = ? ORDER BY rowid", arguments: [account.rawValue])
    }
}
