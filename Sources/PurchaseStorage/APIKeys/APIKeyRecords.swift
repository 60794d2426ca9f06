public import Foundation
public import PurchaseModel

/// An operation that an API key permits.
public enum APIKeyScope: String, Codable, Hashable, Sendable, CaseIterable {
    /// Submit proofs of purchase, create anonymous customers, and read the catalog and the verification keys.
    case submitPurchases = "purchases:submit"
    /// Read a customer's entitlements, balances and statement.
    case readCustomers = "customers:read"
    /// Debit a customer's balance.
    case debit = "customers:debit"
    /// Grant credits and entitlements to a customer, and revoke granted entitlements.
    case grant = "customers:grant"
    /// Sign promotional offers and the eligibility for introductory offers.
    case signOffers = "offers:sign"
    /// Create customers with identifiers of the backend, sign them in, issue customer tokens, and delete customers.
    case manageCustomers = "customers:manage"
    /// Read the events of all customers.
    case readEvents = "events:read"
    /// Change the catalog and the API keys.
    case administer = "server:administer"
}

/// The kind of an API key, which determines the key's prefix and permitted scopes.
public enum APIKeyKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A key that the app contains, so the key is not a secret. Requests about a customer require a customer token in addition to the key.
    case publishable
    /// A backend's key, with which requests may concern any customer of the app.
    case secret
    /// An operator's key, with every scope.
    case admin

    /// The first characters of keys of this kind.
    public var prefix: String {
        switch self {
        case .publishable: "pk_"
        case .secret: "sk_"
        case .admin: "ak_"
        }
    }

    /// The scopes that keys of this kind may have.
    public var permittedScopes: Set<APIKeyScope> {
        switch self {
        case .publishable: [.submitPurchases, .readCustomers, .debit, .signOffers]
        case .secret: [.submitPurchases, .readCustomers, .debit, .grant, .signOffers, .manageCustomers, .readEvents]
        case .admin: Set(APIKeyScope.allCases)
        }
    }

    /// The scopes of a key that was created without a list of scopes.
    ///
    /// The default scopes of a publishable key exclude debits and signed offers: usually the backend debits credits when it delivers the
    /// goods, and a user who extracts the key from the app could otherwise sign discounts.
    public var defaultScopes: Set<APIKeyScope> {
        self == .publishable ? [.submitPurchases, .readCustomers] : permittedScopes
    }
}

/// The record of an API key, with a digest in place of the key.
public struct APIKeyRecord: Hashable, Sendable {
    /// The identifier by which commands and logs name the key, such as `key_4f1c9a2b8d03`.
    public let id: String
    /// The SHA-256 of the key.
    public let digest: Data
    /// The kind of the key.
    public let kind: APIKeyKind
    /// The operations that the key permits.
    public let scopes: Set<APIKeyScope>
    /// The name that the operator chose for the key; empty for a key without a name.
    public let name: String
    /// The date when the key was created.
    public let createdAt: Timestamp
    /// The date when the key was revoked; nil for a valid key.
    public var revokedAt: Timestamp?

    /// Creates a record.
    public init(
        id: String, digest: Data, kind: APIKeyKind, scopes: Set<APIKeyScope>, name: String, createdAt: Timestamp,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.digest = digest
        self.kind = kind
        self.scopes = scopes
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

/// Reads and writes an app's API keys within one database transaction.
public protocol APIKeyRecords {
    /// Returns the key with a digest, valid or revoked; nil for an unknown digest.
    func apiKey(digest: Data) throws -> APIKeyRecord?

    /// Returns all keys of the app, oldest first.
    func apiKeys() throws -> [APIKeyRecord]

    /// Inserts or replaces a key.
    func put(_ key: APIKeyRecord) throws
}

extension SQLiteSchema {
    static let apiKeyTables = """
        CREATE TABLE api_key (
            app TEXT NOT NULL,
            digest BLOB NOT NULL,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            scopes TEXT NOT NULL,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER,
            PRIMARY KEY (app, digest)
        ) STRICT;
        """
}

extension PostgresSchema {
    static let apiKeyTables = """
        CREATE TABLE api_key (
            app TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            scopes TEXT COLLATE "C" NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            revoked_at BIGINT,
            PRIMARY KEY (app, digest)
        );
        """
}

extension SQLTransaction {
    private static let putApiKey = upsert(
        "api_key", key: ["app", "digest"],
        ["id", "kind", "scopes", "name", "created_at", "revoked_at"])

    package func apiKey(digest: Data) throws -> APIKeyRecord? {
        try first("SELECT * FROM api_key WHERE app = ?1 AND digest = ?", digest, read: apiKey) ?? nil
    }

    package func apiKeys() throws -> [APIKeyRecord] {
        try all("SELECT * FROM api_key WHERE app = ?1 ORDER BY created_at, id", read: apiKey).compactMap { $0 }
    }

    package func put(_ key: APIKeyRecord) throws {
        try execute(
            Self.putApiKey, key.digest, key.id, key.kind.rawValue, key.scopes.map(\.rawValue).sorted().joined(separator: " "), key.name,
            key.createdAt.milliseconds, key.revokedAt?.milliseconds)
    }

    /// Reads a key from a row; returns nil for a kind that this server version does not support.
    private func apiKey(_ row: any SQLRow) throws -> APIKeyRecord? {
        guard let kind = APIKeyKind(rawValue: try row["kind"]) else { return nil }
        let scopes = (try row["scopes"] as String).split(separator: " ").compactMap { APIKeyScope(rawValue: String($0)) }
        return APIKeyRecord(
            id: try row["id"], digest: try row["digest"], kind: kind, scopes: Set(scopes), name: try row["name"],
            createdAt: Timestamp(milliseconds: try row["created_at"]),
            revokedAt: (try row["revoked_at"] as Int64?).map { Timestamp(milliseconds: $0) })
    }
}
