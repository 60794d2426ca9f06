public import Foundation
import GRDB
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

extension SQLiteTransaction {
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

    func apiKey(digest: Data) throws -> APIKeyRecord? {
        try row("SELECT * FROM api_key WHERE app = ?1 AND digest = ?", digest).flatMap(apiKey)
    }

    func apiKeys() throws -> [APIKeyRecord] {
        try rows("SELECT * FROM api_key WHERE app = ?1 ORDER BY created_at, id").compactMap(apiKey)
    }

    func put(_ key: APIKeyRecord) throws {
        try execute(
            """
            INSERT OR REPLACE INTO api_key (app, digest, id, kind, scopes, name, created_at, revoked_at)
            VALUES (?1, ?, ?, ?, ?, ?, ?, ?)
            """, key.digest, key.id, key.kind.rawValue, key.scopes.map(\.rawValue).sorted().joined(separator: " "), key.name,
            key.createdAt.milliseconds, key.revokedAt?.milliseconds)
    }

    /// Reads a key; nil for a kind of a newer version.
    private func apiKey(_ row: Row) -> APIKeyRecord? {
        guard let kind = APIKeyKind(rawValue: row["kind"]) else { return nil }
        let scopes = (row["scopes"] as String).split(separator: " ").compactMap { APIKeyScope(rawValue: String($0)) }
        return APIKeyRecord(
            id: row["id"], digest: row["digest"], kind: kind, scopes: Set(scopes), name: row["name"],
            createdAt: Timestamp(milliseconds: row["created_at"]),
            revokedAt: (row["revoked_at"] as Int64?).map { Timestamp(milliseconds: $0) })
    }
}
