import GRDB
import PurchaseModel

/// One account's subscription in one group: the model's value, and where it belongs.
struct SubscriptionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "subscriptions"

    /// The first transaction, which names the subscription.
    let id: TransactionID
    let account: AccountID
    let bundleID: BundleID
    let groupID: SubscriptionGroupID
    /// Stored as a ``SubscriptionStateRecord`` in JSON.
    private(set) var subscription: Subscription
    /// The value's own, in a column of its own to be found by; nil for a copy, to which things happen with the original.
    private(set) var nextDue: Timestamp?
    /// The relative's subscription that this one is a copy of.
    let sharedFrom: TransactionID?

    init(
        account: AccountID, bundleID: BundleID, groupID: SubscriptionGroupID, subscription: Subscription, sharedFrom: TransactionID? = nil
    ) {
        self.id = subscription.originalTransactionID
        self.account = account
        self.bundleID = bundleID
        self.groupID = groupID
        self.subscription = subscription
        self.nextDue = sharedFrom == nil ? subscription.nextDue : nil
        self.sharedFrom = sharedFrom
    }

    /// Passes an event on to the value.
    mutating func handle(_ event: SubscriptionEvent, at now: Timestamp) -> [SubscriptionAction] {
        defer { nextDue = sharedFrom == nil ? subscription.nextDue : nil }
        return subscription.handle(event, at: now)
    }

    /// Changes what belongs to the value but is not decided by it.
    mutating func change(_ change: (inout Subscription) -> Void) {
        change(&subscription)
    }

    /// The one to which something happens first, not later than `limit`.
    static func earliestDue(until limit: Timestamp, _ db: Database) throws -> SubscriptionRecord? {
        let sql = "SELECT * FROM subscriptions WHERE nextDue <= ? ORDER BY nextDue, rowid LIMIT 1"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [limit.milliseconds])
    }

    /// The account's own subscription in a group, running or not.
    static func own(_ account: AccountID, _ bundleID: BundleID, _ group: SubscriptionGroupID, _ db: Database) throws -> SubscriptionRecord?
    {
        let sql = "SELECT * FROM subscriptions WHERE account = ? AND bundleID = ? AND groupID = ? AND sharedFrom IS NULL"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue, group.rawValue])
    }

    /// All of one account, in one app or in all.
    static func all(of account: AccountID, in bundleID: BundleID? = nil, _ db: Database) throws -> [SubscriptionRecord] {
        let sql = "SELECT * FROM subscriptions WHERE account = ? AND (? IS NULL OR bundleID = ?) ORDER BY rowid"
        return try fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID?.rawValue, bundleID?.rawValue])
    }

    /// The relatives' copies of one.
    static func copies(of id: TransactionID, _ db: Database) throws -> [SubscriptionRecord] {
        try fetchAll(db.cachedStatement(sql: "SELECT * FROM subscriptions WHERE sharedFrom = ? ORDER BY rowid"), arguments: [id.rawValue])
    }
}

extension SubscriptionRecord {
    private enum CodingKeys: String, CodingKey {
        case id, account, bundleID, groupID, subscription, nextDue, sharedFrom
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(TransactionID.self, forKey: .id)
        account = try container.decode(AccountID.self, forKey: .account)
        bundleID = try container.decode(BundleID.self, forKey: .bundleID)
        groupID = try container.decode(SubscriptionGroupID.self, forKey: .groupID)
        subscription = try container.decode(SubscriptionStateRecord.self, forKey: .subscription).subscription()
        nextDue = try container.decodeIfPresent(Timestamp.self, forKey: .nextDue)
        sharedFrom = try container.decodeIfPresent(TransactionID.self, forKey: .sharedFrom)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(account, forKey: .account)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(groupID, forKey: .groupID)
        try container.encode(SubscriptionStateRecord(subscription), forKey: .subscription)
        try container.encode(nextDue, forKey: .nextDue)
        try container.encode(sharedFrom, forKey: .sharedFrom)
    }
}
