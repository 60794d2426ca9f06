public import Foundation
public import PurchaseModel

/// A customer of an app.
public struct CustomerRecord: Hashable, Sendable {
    /// The identifier, a UUID that the app can also send to the App Store as `appAccountToken`.
    public let id: CustomerID
    /// The date when the server created the customer.
    public let createdAt: Timestamp
    /// The customer into whom this customer was merged; nil for a customer who was not merged.
    public var mergedInto: CustomerID?
    /// The date when the customer's personal data was deleted; nil for a customer who was not deleted.
    public var deletedAt: Timestamp?

    /// Creates a record.
    public init(id: CustomerID, createdAt: Timestamp, mergedInto: CustomerID? = nil, deletedAt: Timestamp? = nil) {
        self.id = id
        self.createdAt = createdAt
        self.mergedInto = mergedInto
        self.deletedAt = deletedAt
    }
}

/// Reads and writes an app's customers within one database transaction.
///
/// A customer has one identifier, which is a UUID, and any number of aliases, such as the account number of the app's backend.
public protocol CustomerRecords {
    /// Returns a customer; nil for an identifier that the server did not create, such as an unregistered `appAccountToken`.
    func customer(_ id: CustomerID) throws -> CustomerRecord?

    /// Inserts or replaces a customer.
    func put(_ customer: CustomerRecord) throws

    /// Returns the customers that were merged into a customer.
    func customersMerged(into customer: CustomerID) throws -> [CustomerID]

    /// Returns the customer with an alias; nil if no customer has the alias.
    func customer(alias: String) throws -> CustomerID?

    /// Returns the aliases of a customer, ordered by their bytes.
    func aliases(of customer: CustomerID) throws -> [String]

    /// Assigns an alias to a customer, or removes the alias if `customer` is nil.
    func setAlias(_ alias: String, of customer: CustomerID?) throws

    /// Returns the customer of a customer token; nil for an unknown token.
    func customer(tokenDigest: Data) throws -> CustomerID?

    /// Inserts a customer token by its digest, and removes the customer's oldest tokens beyond `limit`.
    func insertToken(_ digest: Data, of customer: CustomerID, createdAt: Timestamp, limit: Int) throws

    /// Returns the digests of a customer's tokens, ordered by their bytes.
    func tokens(of customer: CustomerID) throws -> [Data]

    /// Assigns a token of a customer to another customer, if the first customer has the token.
    func moveToken(_ digest: Data, of customer: CustomerID, to other: CustomerID) throws

    /// Assigns all tokens of a customer to another customer, or deletes the tokens if `other` is nil.
    func moveTokens(of customer: CustomerID, to other: CustomerID?) throws
}

extension SQLiteSchema {
    static let customerTables = """
        CREATE TABLE customer (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            merged_into TEXT,
            deleted_at INTEGER,
            PRIMARY KEY (app, customer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX customer_merged ON customer (app, merged_into) WHERE merged_into IS NOT NULL;

        CREATE TABLE customer_alias (
            app TEXT NOT NULL,
            alias TEXT NOT NULL,
            customer TEXT NOT NULL,
            PRIMARY KEY (app, alias)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX customer_alias_by_customer ON customer_alias (app, customer);

        CREATE TABLE customer_token (
            app TEXT NOT NULL,
            digest BLOB NOT NULL,
            customer TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (app, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX customer_token_by_customer ON customer_token (app, customer, created_at);
        """
}

extension PostgresSchema {
    static let customerTables = """
        CREATE TABLE customer (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            merged_into TEXT COLLATE "C",
            deleted_at BIGINT,
            PRIMARY KEY (app, customer)
        );
        CREATE INDEX customer_merged ON customer (app, merged_into) WHERE merged_into IS NOT NULL;

        CREATE TABLE customer_alias (
            app TEXT COLLATE "C" NOT NULL,
            alias TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, alias)
        );
        CREATE INDEX customer_alias_by_customer ON customer_alias (app, customer);

        CREATE TABLE customer_token (
            app TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (app, digest)
        );
        CREATE INDEX customer_token_by_customer ON customer_token (app, customer, created_at);
        """
}

extension SQLTransaction {
    private static let putCustomer = upsert(
        "customer", key: ["app", "customer"],
        ["created_at", "merged_into", "deleted_at"])

    private static let putCustomerAlias = upsert(
        "customer_alias", key: ["app", "alias"],
        ["customer"])

    private static let putCustomerToken = upsert(
        "customer_token", key: ["app", "digest"],
        ["customer", "created_at"])

    package func customer(_ id: CustomerID) throws -> CustomerRecord? {
        try first("SELECT created_at, merged_into, deleted_at FROM customer WHERE app = ?1 AND customer = ?", id.rawValue) { row in
            CustomerRecord(
                id: id, createdAt: Timestamp(milliseconds: try row["created_at"]),
                mergedInto: (try row["merged_into"] as String?).map { CustomerID($0) },
                deletedAt: (try row["deleted_at"] as Int64?).map { Timestamp(milliseconds: $0) })
        }
    }

    package func put(_ customer: CustomerRecord) throws {
        try execute(
            Self.putCustomer, customer.id.rawValue, customer.createdAt.milliseconds, customer.mergedInto?.rawValue,
            customer.deletedAt?.milliseconds)
    }

    package func customersMerged(into customer: CustomerID) throws -> [CustomerID] {
        try all("SELECT customer FROM customer WHERE app = ?1 AND merged_into = ? ORDER BY customer", customer.rawValue) {
            CustomerID(try $0["customer"] as String)
        }
    }

    package func customer(alias: String) throws -> CustomerID? {
        try first("SELECT customer FROM customer_alias WHERE app = ?1 AND alias = ?", alias) { CustomerID(try $0["customer"] as String) }
    }

    package func aliases(of customer: CustomerID) throws -> [String] {
        try all("SELECT alias FROM customer_alias WHERE app = ?1 AND customer = ? ORDER BY alias", customer.rawValue) { try $0["alias"] }
    }

    package func setAlias(_ alias: String, of customer: CustomerID?) throws {
        if let customer {
            try execute(
                Self.putCustomerAlias, alias, customer.rawValue)
        } else {
            try execute("DELETE FROM customer_alias WHERE app = ?1 AND alias = ?", alias)
        }
    }

    package func customer(tokenDigest: Data) throws -> CustomerID? {
        try first("SELECT customer FROM customer_token WHERE app = ?1 AND digest = ?", tokenDigest) {
            CustomerID(try $0["customer"] as String)
        }
    }

    package func insertToken(_ digest: Data, of customer: CustomerID, createdAt: Timestamp, limit: Int) throws {
        try execute(
            Self.putCustomerToken, digest, customer.rawValue,
            createdAt.milliseconds)
        try execute(
            """
            DELETE FROM customer_token WHERE app = ?1 AND digest IN (
                SELECT digest FROM customer_token WHERE app = ?1 AND customer = ?2
                ORDER BY created_at DESC, digest LIMIT 9223372036854775807 OFFSET ?3)
            """, customer.rawValue, max(1, limit))
    }

    package func tokens(of customer: CustomerID) throws -> [Data] {
        try all("SELECT digest FROM customer_token WHERE app = ?1 AND customer = ? ORDER BY digest", customer.rawValue) { try $0["digest"] }
    }

    package func moveToken(_ digest: Data, of customer: CustomerID, to other: CustomerID) throws {
        try execute(
            "UPDATE customer_token SET customer = ?2 WHERE app = ?1 AND digest = ?3 AND customer = ?4",
            other.rawValue, digest, customer.rawValue)
    }

    package func moveTokens(of customer: CustomerID, to other: CustomerID?) throws {
        if let other {
            try execute("UPDATE customer_token SET customer = ?2 WHERE app = ?1 AND customer = ?3", other.rawValue, customer.rawValue)
        } else {
            try execute("DELETE FROM customer_token WHERE app = ?1 AND customer = ?", customer.rawValue)
        }
    }
}
