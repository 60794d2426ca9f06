public import PurchaseModel

/// A stored event of the feed.
///
/// The storage does not read ``event``, the JSON of the event.
public struct FeedEventRecord: Hashable, Sendable {
    /// The identifier of the event.
    public let id: String
    /// The type of the event, such as `entitlement.activated`.
    public let type: String
    /// The customer; nil for an event without a customer.
    public let customer: CustomerID?
    /// The order of the events of one customer: each event has a greater number than all earlier events of the customer.
    ///
    /// The number is the date of recording in milliseconds, or the next greater number. The order of events without a customer has no
    /// meaning.
    public let ordinal: Int64
    /// The date when the server recorded the event.
    public let recordedAt: Timestamp
    /// The event as JSON.
    public let event: String

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - id: The identifier of the event.
    ///   - type: The type of the event.
    ///   - customer: The customer; nil for an event without a customer.
    ///   - ordinal: The order of the event among the events of the customer.
    ///   - recordedAt: The date of recording.
    ///   - event: The event as JSON.
    public init(id: String, type: String, customer: CustomerID?, ordinal: Int64, recordedAt: Timestamp, event: String) {
        self.id = id
        self.type = type
        self.customer = customer
        self.ordinal = ordinal
        self.recordedAt = recordedAt
        self.event = event
    }
}

/// An event with its position in the feed.
public struct PositionedFeedEvent: Hashable, Sendable {
    /// The position, from 1, without gaps.
    public let position: Int64
    /// The event.
    public let event: FeedEventRecord

    /// Creates a positioned event.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - event: The event.
    public init(position: Int64, event: FeedEventRecord) {
        self.position = position
        self.event = event
    }
}

/// The entitlements of a customer according to the customer's events, and the date of the next change that time causes.
public struct FeedCustomer: Hashable, Sendable {
    /// The customer.
    public let customer: CustomerID
    /// The ordinal of the customer's latest event.
    public var ordinal: Int64
    /// The date of the next change that time causes; nil without such a change.
    public var dueAt: Timestamp?
    /// The date up to which the events state the changes that time causes.
    public var checkedAt: Timestamp
    /// The entitlements as JSON; nil if no event states an entitlement, and none was computed.
    public var entitlements: String?

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - customer: The customer.
    ///   - ordinal: The ordinal of the customer's latest event.
    ///   - dueAt: The date of the next change that time causes; nil without such a change.
    ///   - checkedAt: The date up to which the events state the changes that time causes.
    ///   - entitlements: The entitlements as JSON; nil if none was computed.
    public init(customer: CustomerID, ordinal: Int64, dueAt: Timestamp?, checkedAt: Timestamp, entitlements: String?) {
        self.customer = customer
        self.ordinal = ordinal
        self.dueAt = dueAt
        self.checkedAt = checkedAt
        self.entitlements = entitlements
    }
}

/// The positions of a feed.
public struct FeedPositions: Hashable, Sendable {
    /// The position of the newest event that has a position; 0 before the first event.
    public var newest: Int64
    /// The position of the newest event that retention removed; 0 if none was removed.
    public var removed: Int64

    /// Creates positions.
    ///
    /// - Parameters:
    ///   - newest: The position of the newest event.
    ///   - removed: The position of the newest removed event.
    public init(newest: Int64 = 0, removed: Int64 = 0) {
        self.newest = newest
        self.removed = removed
    }
}

/// The progress of the comparison of all customers with their events, after an upgrade or a change of the configuration.
public struct FeedSweep: Codable, Hashable, Sendable {
    /// The digest of the catalog and the configuration with which the comparison began.
    public var rules: String
    /// The revision of the catalog with which the comparison began.
    public var revision: Int64
    /// The number of the comparison with the same rules: 1, or 2 for the repetition.
    public var pass: Int
    /// The last compared customer; nil at the beginning and after the end.
    public var last: CustomerID?
    /// The date until which no other server continues the comparison.
    public var leasedUntil: Timestamp
    /// The date when all customers were compared; nil before the end.
    public var completedAt: Timestamp?

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - rules: The digest of the catalog and the configuration.
    ///   - revision: The revision of the catalog.
    ///   - pass: The number of the comparison with the same rules.
    ///   - last: The last compared customer.
    ///   - leasedUntil: The date until which no other server continues the comparison.
    ///   - completedAt: The date when all customers were compared.
    public init(
        rules: String, revision: Int64, pass: Int = 1, last: CustomerID? = nil, leasedUntil: Timestamp, completedAt: Timestamp? = nil
    ) {
        self.rules = rules
        self.revision = revision
        self.pass = pass
        self.last = last
        self.leasedUntil = leasedUntil
        self.completedAt = completedAt
    }
}

/// A team with too many members for one transaction, whose members are compared with their events after the transaction.
public struct FeedTeam: Hashable, Sendable {
    /// The original transaction identifier of the purchaser's subscription.
    public let team: TransactionID
    /// A random identifier of the change, so that a later change begins the comparison again.
    public let changeID: String
    /// The cause of the events.
    public let cause: String
    /// The last compared member; nil at the beginning.
    public var last: CustomerID?

    /// Creates a team.
    ///
    /// - Parameters:
    ///   - team: The original transaction identifier of the purchaser's subscription.
    ///   - changeID: A random identifier of the change.
    ///   - cause: The cause of the events.
    ///   - last: The last compared member.
    public init(team: TransactionID, changeID: String, cause: String, last: CustomerID? = nil) {
        self.team = team
        self.changeID = changeID
        self.cause = cause
        self.last = last
    }
}

/// Reads and writes the feed of an app within one database transaction.
public protocol FeedRecords {
    /// Inserts events, which receive their positions with this transaction or later, by ``PurchaseStorage/publishFeedEvents(_:limit:)``.
    ///
    /// The events of one customer receive positions in the order of their ordinals.
    ///
    /// - Parameter events: The events.
    func insert(_ events: [FeedEventRecord]) throws

    /// Returns the events with the positions after a position, at most `limit`, in the order of the positions.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - limit: The maximum number of events.
    func feedEvents(after position: Int64, limit: Int) throws -> [PositionedFeedEvent]

    /// Returns the positions of the feed.
    func feedPositions() throws -> FeedPositions

    /// Removes at most `limit` of the oldest events, as long as they were recorded before a date, and returns their number.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - limit: The maximum number of events.
    func removeFeedEvents(recordedBefore date: Timestamp, limit: Int) throws -> Int

    /// Returns the record of a customer; nil for a customer without events.
    ///
    /// - Parameter customer: The customer.
    func feedCustomer(_ customer: CustomerID) throws -> FeedCustomer?

    /// Inserts or replaces the record of a customer.
    ///
    /// - Parameter customer: The record.
    func put(_ customer: FeedCustomer) throws

    /// Returns at most `limit` customers of a ``QueuePartition`` whose next change is due at a date, earliest first.
    ///
    /// A database with concurrent writers locks the records, and skips the records that another transaction has locked.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - date: The date.
    ///   - limit: The maximum number of customers.
    func claimFeedCustomers(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [FeedCustomer]

    /// Returns the date of the earliest due change in a ``QueuePartition``; nil if no change is due.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - date: The date.
    func earliestFeedChange(in partition: Int, dueAt date: Timestamp) throws -> Timestamp?

    /// Returns at most `limit` customers who have, or had, a seat of a team, in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - team: The original transaction identifier of the purchaser's subscription.
    ///   - last: The customer after whom the result begins; nil for the first customers.
    ///   - limit: The maximum number of customers.
    func seatHolders(of team: TransactionID, after last: CustomerID?, limit: Int) throws -> [CustomerID]

    /// Inserts or replaces a team whose members are to be compared with their events.
    ///
    /// - Parameter team: The team.
    func put(_ team: FeedTeam) throws

    /// Returns a team whose members are to be compared with their events; nil if there is none.
    func nextFeedTeam() throws -> FeedTeam?

    /// Returns the stored version of a team; nil if its members are not to be compared.
    ///
    /// - Parameter team: The original transaction identifier of the purchaser's subscription.
    func feedTeam(_ team: TransactionID) throws -> FeedTeam?

    /// Removes a team after the comparison of all members.
    ///
    /// - Parameter team: The team.
    func remove(_ team: FeedTeam) throws

    /// Returns at most `limit` customers with purchases, grants, seats or events, in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - last: The customer after whom the result begins; nil for the first customers.
    ///   - limit: The maximum number of customers.
    func feedCustomers(after last: CustomerID?, limit: Int) throws -> [CustomerID]

    /// Returns the progress of the comparison of all customers; nil before the first comparison.
    func feedSweep() throws -> FeedSweep?

    /// Inserts or replaces the progress of the comparison of all customers.
    ///
    /// - Parameter sweep: The progress.
    func put(_ sweep: FeedSweep) throws
}

extension QueuePartition {
    /// Returns the partition of a customer, from 0 to ``count`` - 1.
    public static func number(ofCustomer customer: CustomerID) -> Int { number(of: TransactionID(customer.rawValue)) }
}
