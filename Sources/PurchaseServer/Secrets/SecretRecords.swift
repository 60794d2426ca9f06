public import Foundation
import GRDB
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

extension SQLiteTransaction {
    /// The table of secrets.
    static let secretTables = """
        CREATE TABLE secret (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT;
        """

    func secret(_ name: String) throws -> Data? {
        try row("SELECT value FROM secret WHERE app = ?1 AND name = ?", name)?["value"]
    }

    func secretNames() throws -> [String] {
        try rows("SELECT name FROM secret WHERE app = ?1 ORDER BY name").map { $0["name"] }
    }

    func put(_ secret: Data, named name: String) throws {
        try execute("INSERT OR REPLACE INTO secret (app, name, value) VALUES (?1, ?, ?)", name, secret)
    }
}
