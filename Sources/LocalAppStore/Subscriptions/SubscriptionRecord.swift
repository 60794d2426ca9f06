import GRDB
import PurchaseModel

/// An account's subscription in a subscription group, as a row of the database.
struct SubscriptionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "subscriptions"

    /// The subscription's original transaction identifier.
    let id: TransactionID
    let account: AccountID
    let bundleID: BundleID
    let groupID: SubscriptionGroupID
    /// The state of the subscription, which the table stores as a ``SubscriptionStateRecord`` in JSON.
    private(set) var subscription: Subscription
    /// A copy of `subscription.nextRenewalDate`, stored in a column for indexing.
    ///
    /// The value is nil if nothing is due, and for a Family Sharing entitlement, which changes with the purchaser's subscription.
    private(set) var nextRenewalDate: Timestamp?
    /// The original transaction identifier of the purchaser's subscription; nil unless this subscription is a Family Sharing entitlement.
    let purchaserTransactionID: TransactionID?

    init(
        account: AccountID, bundleID: BundleID, groupID: SubscriptionGroupID, subscription: Subscription,
        purchaserTransactionID: TransactionID? = nil
    ) {
        self.id = subscription.originalTransactionID
        self.account = account
        self.bundleID = bundleID
        self.groupID = groupID
        self.subscription = subscription
        self.nextRenewalDate = purchaserTransactionID == nil ? subscription.nextRenewalDate : nil
        self.purchaserTransactionID = purchaserTransactionID
    }

    /// Applies an event, such as a renewal, to the subscription, and returns the actions that the store must perform.
    mutating func handle(_ event: SubscriptionEvent, at now: Timestamp) -> [SubscriptionAction] {
        defer { nextRenewalDate = purchaserTransactionID == nil ? subscription.nextRenewalDate : nil }
        return subscription.handle(event, at: now)
    }

    /// Changes properties of the subscription directly, without an event.
    mutating func change(_ change: (inout Subscription) -> Void) {
        defer { nextRenewalDate = purchaserTransactionID == nil ? subscription.nextRenewalDate : nil }
        change(&subscription)
    }

    /// Returns the subscription whose next event, such as a renewal, is due first, if it is due at `limit` or earlier; otherwise nil.
    static func earliestDue(until limit: Timestamp, _ db: Database) throws -> SubscriptionRecord? {
        let sql = "SELECT * FROM subscriptions WHERE nextRenewalDate <= ? ORDER BY nextRenewalDate, rowid LIMIT 1"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [limit.milliseconds])
    }

    /// Returns the subscription that an account purchased in a subscription group, active or expired; Family Sharing does not count.
    static func existing(
        _ account: AccountID, _ bundleID: BundleID, _ group: SubscriptionGroupID, _ db: Database
    ) throws -> SubscriptionRecord? {
        let sql = """
            SELECT * FROM subscriptions WHERE account = ? AND bundleID = ? AND groupID = ? AND purchaserTransactionID IS NULL
            """
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue, group.rawValue])
    }

    /// Returns all subscriptions of an account, in one app, or in all apps if `bundleID` is nil.
    static func all(of account: AccountID, in bundleID: BundleID? = nil, _ db: Database) throws -> [SubscriptionRecord] {
        let sql = "SELECT * FROM subscriptions WHERE account = ? AND (? IS NULL OR bundleID = ?) ORDER BY rowid"
        return try fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID?.rawValue, bundleID?.rawValue])
    }

    /// Returns the subscriptions of family members that share a purchaser's subscription.
    static func sharedSubscriptions(of id: TransactionID, _ db: Database) throws -> [SubscriptionRecord] {
        let sql = "SELECT * FROM subscriptions WHERE purchaserTransactionID = ? ORDER BY rowid"
        return try fetchAll(db.cachedStatement(sql: sql), arguments: [id.rawValue])
    }
}

extension SubscriptionRecord {
    private enum CodingKeys: String, CodingKey {
        case id, account, bundleID, groupID, subscription, nextRenewalDate, purchaserTransactionID
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(TransactionID.self, forKey: .id)
        account = try container.decode(AccountID.self, forKey: .account)
        bundleID = try container.decode(BundleID.self, forKey: .bundleID)
        groupID = try container.decode(SubscriptionGroupID.self, forKey: .groupID)
        subscription = try container.decode(SubscriptionStateRecord.self, forKey: .subscription).value()
        nextRenewalDate = try container.decodeIfPresent(Timestamp.self, forKey: .nextRenewalDate)
        purchaserTransactionID = try container.decodeIfPresent(TransactionID.self, forKey: .purchaserTransactionID)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(account, forKey: .account)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(groupID, forKey: .groupID)
        try container.encode(SubscriptionStateRecord(subscription), forKey: .subscription)
        try container.encode(nextRenewalDate, forKey: .nextRenewalDate)
        try container.encode(purchaserTransactionID, forKey: .purchaserTransactionID)
    }
}
