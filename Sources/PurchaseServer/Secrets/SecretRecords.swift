public import Foundation
import PurchaseModel

/// The encrypted keys that a server generates for itself, in a transaction of a storage.
public protocol SecretRecords {
    /// Returns a secret; nil if it was not stored.
    func secret(_ name: String) throws -> Data?

    /// Returns the names of all secrets of the app, in their order.
    func secretNames() throws -> [String]

    /// Inserts or replaces a secret.
    func put(_ secret: Data, named name: String) throws
}

extension SQLiteSchema {
    /// The table of secrets.
    static let secretTables = """
        CREATE TABLE secret (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT;
        """
}

extension SQLTransaction {
    private static let putSecret = upsert(
        "secret", key: ["app", "name"],
        ["value"])

    func secret(_ name: String) throws -> Data? {
        try first("SELECT value FROM secret WHERE app = ?1 AND name = ?", name) { try $0["value"] }
    }

    func secretNames() throws -> [String] {
        try all("SELECT name FROM secret WHERE app = ?1 ORDER BY name") { try $0["name"] }
    }

    func put(_ secret: Data, named name: String) throws {
        try execute(
            Self.putSecret, name, secret)
    }
}
