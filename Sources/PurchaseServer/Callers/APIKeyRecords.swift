public import Foundation
import PurchaseModel

/// The API keys of an app, in a transaction of a storage.
public protocol APIKeyRecords {
    /// Returns the key with a digest, valid or revoked; nil if there is none.
    func apiKey(digest: Data) throws -> APIKeyRecord?

    /// Returns all keys of the app, oldest first.
    func apiKeys() throws -> [APIKeyRecord]

    /// Inserts or replaces a key.
    func put(_ key: APIKeyRecord) throws
}

extension SQLiteSchema {
    /// The table of API keys.
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

extension SQLTransaction {
    private static let putApiKey = upsert(
        "api_key", key: ["app", "digest"],
        ["id", "kind", "scopes", "name", "created_at", "revoked_at"])

    func apiKey(digest: Data) throws -> APIKeyRecord? {
        try first("SELECT * FROM api_key WHERE app = ?1 AND digest = ?", digest, read: apiKey) ?? nil
    }

    func apiKeys() throws -> [APIKeyRecord] {
        try all("SELECT * FROM api_key WHERE app = ?1 ORDER BY created_at, id", read: apiKey).compactMap { $0 }
    }

    func put(_ key: APIKeyRecord) throws {
        try execute(
            Self.putApiKey, key.digest, key.id, key.kind.rawValue, key.scopes.map(\.rawValue).sorted().joined(separator: " "), key.name,
            key.createdAt.milliseconds, key.revokedAt?.milliseconds)
    }

    /// Reads a key from a row; nil for a kind that only a newer version of the server knows.
    private func apiKey(_ row: any SQLRow) throws -> APIKeyRecord? {
        guard let kind = APIKeyKind(rawValue: try row["kind"]) else { return nil }
        let scopes = (try row["scopes"] as String).split(separator: " ").compactMap { APIKeyScope(rawValue: String($0)) }
        return APIKeyRecord(
            id: try row["id"], digest: try row["digest"], kind: kind, scopes: Set(scopes), name: try row["name"],
            createdAt: Timestamp(milliseconds: try row["created_at"]),
            revokedAt: (try row["revoked_at"] as Int64?).map { Timestamp(milliseconds: $0) })
    }
}
