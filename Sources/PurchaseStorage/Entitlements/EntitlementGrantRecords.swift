public import PurchaseModel

/// An entitlement that a backend granted without a purchase, for example to a tester or as compensation.
public struct EntitlementGrant: Codable, Hashable, Sendable {
    /// The customer who received the entitlement.
    public let customer: CustomerID
    /// The name of the entitlement.
    public let entitlement: EntitlementName
    /// The date from which the entitlement is active.
    public let grantedAt: Timestamp
    /// The date when the entitlement ends; nil for an unlimited entitlement.
    public let until: Timestamp?
    /// The backend's reason for the grant, which the explanation of the entitlement states.
    public let reason: String
    /// The date when a backend revoked the entitlement; nil for an unrevoked entitlement.
    public var revokedAt: Timestamp?

    /// Creates a record.
    public init(
        customer: CustomerID, entitlement: EntitlementName, grantedAt: Timestamp, until: Timestamp?, reason: String,
        revokedAt: Timestamp? = nil
    ) {
        self.customer = customer
        self.entitlement = entitlement
        self.grantedAt = grantedAt
        self.until = until
        self.reason = reason
        self.revokedAt = revokedAt
    }
}

extension EntitlementGrant {
    /// Returns whether the grant has begun, and has neither expired nor been revoked, at a date.
    package func isActive(at date: Timestamp) -> Bool {
        grantedAt <= date && revokedAt.map { $0 > date } ?? true && until.map { $0 > date } ?? true
    }
}

/// Reads and writes the granted entitlements of an app's customers within one database transaction.
public protocol EntitlementGrantRecords {
    /// Returns all grants of a customer, oldest first, including expired and revoked grants.
    func grants(of customer: CustomerID) throws -> [EntitlementGrant]

    /// Inserts a grant, or replaces the grant with the same customer, entitlement and date.
    func put(_ grant: EntitlementGrant) throws

    /// Deletes the stored grant with the same customer, entitlement and date.
    func delete(_ grant: EntitlementGrant) throws

    /// Assigns all grants of a customer to another customer, or deletes the grants if `other` is nil.
    func moveGrants(of customer: CustomerID, to other: CustomerID?) throws
}

extension SQLiteSchema {
    static let entitlementGrantTables = """
        CREATE TABLE entitlement_grant (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            entitlement TEXT NOT NULL,
            granted_at INTEGER NOT NULL,
            until INTEGER,
            reason TEXT NOT NULL,
            revoked_at INTEGER,
            PRIMARY KEY (app, customer, entitlement, granted_at)
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let entitlementGrantTables = """
        CREATE TABLE entitlement_grant (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            entitlement TEXT COLLATE "C" NOT NULL,
            granted_at BIGINT NOT NULL,
            until BIGINT,
            reason TEXT COLLATE "C" NOT NULL,
            revoked_at BIGINT,
            PRIMARY KEY (app, customer, entitlement, granted_at)
        );
        """
}

extension SQLTransaction {
    private static let putEntitlementGrant = upsert(
        "entitlement_grant", key: ["app", "customer", "entitlement", "granted_at"],
        ["until", "reason", "revoked_at"])

    package func grants(of customer: CustomerID) throws -> [EntitlementGrant] {
        try all(
            "SELECT * FROM entitlement_grant WHERE app = ?1 AND customer = ? ORDER BY granted_at, entitlement", customer.rawValue
        ) { row in
            EntitlementGrant(
                customer: customer, entitlement: EntitlementName(try row["entitlement"] as String),
                grantedAt: Timestamp(milliseconds: try row["granted_at"]),
                until: (try row["until"] as Int64?).map { Timestamp(milliseconds: $0) }, reason: try row["reason"],
                revokedAt: (try row["revoked_at"] as Int64?).map { Timestamp(milliseconds: $0) })
        }
    }

    package func put(_ grant: EntitlementGrant) throws {
        try execute(
            Self.putEntitlementGrant, grant.customer.rawValue, grant.entitlement.rawValue, grant.grantedAt.milliseconds,
            grant.until?.milliseconds, grant.reason,
            grant.revokedAt?.milliseconds)
    }

    package func delete(_ grant: EntitlementGrant) throws {
        try execute(
            "DELETE FROM entitlement_grant WHERE app = ?1 AND customer = ? AND entitlement = ? AND granted_at = ?",
            grant.customer.rawValue, grant.entitlement.rawValue, grant.grantedAt.milliseconds)
    }

    package func moveGrants(of customer: CustomerID, to other: CustomerID?) throws {
        if let other {
            try execute(
                """
                INSERT INTO entitlement_grant (app, customer, entitlement, granted_at, until, reason, revoked_at)
                SELECT app, ?2, entitlement, granted_at, until, reason, revoked_at FROM entitlement_grant WHERE app = ?1 AND customer = ?3
                ON CONFLICT DO NOTHING
                """, other.rawValue, customer.rawValue)
        }
        try execute("DELETE FROM entitlement_grant WHERE app = ?1 AND customer = ?", customer.rawValue)
    }
}
