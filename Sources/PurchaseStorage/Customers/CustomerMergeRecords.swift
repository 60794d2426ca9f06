public import Foundation
public import PurchaseModel

/// The idempotency key of the postings of a merge: the merged customer's identifier, and from the customer's second merge on, the number of
/// the merge.
package struct MergeKey: Hashable, Sendable, CustomStringConvertible {
    private static let separator: Character = "/"

    /// The customer who was merged.
    package let customer: CustomerID
    /// The number of this merge among the customer's merges, counted from 1.
    package let number: Int

    package init(_ customer: CustomerID, number: Int) {
        self.customer = customer
        self.number = number
    }

    /// Creates a key from the idempotency key of a posting.
    package init(_ text: String) {
        let parts = text.split(separator: Self.separator, maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[1]), number > 1 else {
            self.init(CustomerID(text), number: 1)
            return
        }
        self.init(CustomerID(String(parts[0])), number: number)
    }

    package var description: String { number == 1 ? customer.rawValue : "\(customer.rawValue)\(Self.separator)\(number)" }
}

/// A merge of an anonymous customer into another customer, with the moved records, which an undo of the merge moves back.
///
/// The record lists no purchases, because the server computes the customer of a purchase from the claims, the `appAccountToken` and the
/// merges in effect.
public struct CustomerMergeRecord: Codable, Hashable, Sendable {
    /// A balance that a merge moved.
    public struct Balance: Codable, Hashable, Sendable {
        /// The currency of the balance.
        public let currency: CurrencyID
        /// The idempotency key of the merge's postings.
        public let key: String
        /// The balance of the anonymous customer that the merge moved.
        public let moved: CreditBalance
        /// Whether the balance of the receiving customer was frozen before the merge.
        public let wasFrozen: Bool

        /// Creates a record.
        public init(currency: CurrencyID, key: String, moved: CreditBalance, wasFrozen: Bool) {
            self.currency = currency
            self.key = key
            self.moved = moved
            self.wasFrozen = wasFrozen
        }
    }

    /// A claim of a seat that a merge moved.
    public struct Seat: Codable, Hashable, Sendable {
        /// The original transaction identifier of the team's subscription.
        public let team: TransactionID
        /// The request identifier of the claim.
        public let requestIdentifier: String

        /// Creates a record.
        ///
        /// - Parameters:
        ///   - team: The original transaction identifier of the team's subscription.
        ///   - requestIdentifier: The request identifier of the claim.
        public init(team: TransactionID, requestIdentifier: String) {
            self.team = team
            self.requestIdentifier = requestIdentifier
        }
    }

    /// The number of the newest posting in a currency.
    public struct NewestPosting: Codable, Hashable, Sendable {
        /// The currency of the posting.
        public let currency: CurrencyID
        /// The number of the posting.
        public let number: Int64

        /// Creates a record.
        public init(currency: CurrencyID, number: Int64) {
            self.currency = currency
            self.number = number
        }
    }

    /// The customer into whom the anonymous customer was merged.
    public let customer: CustomerID
    /// The anonymous customer.
    public let merged: CustomerID
    /// The date of the merge.
    public let date: Timestamp
    /// The digests of the customer tokens that the merge moved.
    public var tokens: [Data] = []
    /// The grants of the anonymous customer that the merge moved.
    public var grants: [EntitlementGrant] = []
    /// The claims of seats that the merge moved; nil for none.
    public var seats: [Seat]?
    /// The date of the consent of the anonymous customer; nil without consent.
    public var consent: Timestamp?
    /// The customers who were merged into the anonymous customer before this merge.
    public var earlier: [CustomerID] = []
    /// The balances that the merge moved.
    public var balances: [Balance] = []
    /// The receiving customer's newest postings directly after the merge, without the postings of undone merges.
    public var newestPostings: [NewestPosting] = []
    /// The date when the merge was undone; nil for a merge that is in effect.
    public var undoneAt: Timestamp?

    /// Creates a record of a merge that has moved nothing yet.
    public init(of merged: CustomerID, into customer: CustomerID, date: Timestamp) {
        self.customer = customer
        self.merged = merged
        self.date = date
    }
}

/// Reads and writes the merges of an app's customers within one database transaction.
public protocol CustomerMergeRecords {
    /// Returns the latest merge of a customer into another customer; nil if no such merge is stored.
    func merge(of merged: CustomerID, into customer: CustomerID) throws -> CustomerMergeRecord?

    /// Returns at most `limit` merges into a customer, newest first.
    func merges(into customer: CustomerID, limit: Int) throws -> [CustomerMergeRecord]

    /// Inserts a merge, or replaces the merge of the same two customers.
    func put(_ merge: CustomerMergeRecord) throws

    /// Deletes the records of all merges from or into a customer.
    func deleteMerges(of customer: CustomerID) throws
}

extension SQLiteSchema {
    static let customerMergeTables = """
        CREATE TABLE customer_merge (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            merged TEXT NOT NULL,
            date INTEGER NOT NULL,
            record TEXT NOT NULL,
            PRIMARY KEY (app, customer, merged)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX customer_merge_by_merged ON customer_merge (app, merged);
        """
}

extension PostgresSchema {
    static let customerMergeTables = """
        CREATE TABLE customer_merge (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            merged TEXT COLLATE "C" NOT NULL,
            date BIGINT NOT NULL,
            record TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, customer, merged)
        );
        CREATE INDEX customer_merge_by_merged ON customer_merge (app, merged);
        """
}

extension SQLTransaction {
    private static let putCustomerMerge = upsert("customer_merge", key: ["app", "customer", "merged"], ["date", "record"])

    package func merge(of merged: CustomerID, into customer: CustomerID) throws -> CustomerMergeRecord? {
        try first(
            "SELECT record FROM customer_merge WHERE app = ?1 AND customer = ? AND merged = ?", customer.rawValue, merged.rawValue
        ) { try record(try $0["record"]) }
    }

    package func merges(into customer: CustomerID, limit: Int) throws -> [CustomerMergeRecord] {
        try all(
            "SELECT record FROM customer_merge WHERE app = ?1 AND customer = ? ORDER BY date DESC, merged LIMIT ?", customer.rawValue, limit
        ) { try record(try $0["record"]) }
    }

    package func put(_ merge: CustomerMergeRecord) throws {
        try execute(
            Self.putCustomerMerge, merge.customer.rawValue, merge.merged.rawValue, merge.date.milliseconds, try json(merge))
    }

    package func deleteMerges(of customer: CustomerID) throws {
        try execute("DELETE FROM customer_merge WHERE app = ?1 AND customer = ?", customer.rawValue)
        try execute("DELETE FROM customer_merge WHERE app = ?1 AND merged = ?", customer.rawValue)
    }
}
