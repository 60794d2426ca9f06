public import Foundation
public import PurchaseModel

/// Reads and writes the encrypted secrets that the server generates for an app, within one database transaction.
public protocol SecretRecords {
    /// Returns a secret; nil for a missing secret.
    func secret(_ name: String) throws -> Data?

    /// Returns the names of all secrets of the app, sorted.
    func secretNames() throws -> [String]

    /// Inserts or replaces a secret.
    func put(_ secret: Data, named name: String) throws

    /// Removes a secret.
    func removeSecret(_ name: String) throws
}

/// Reads and writes the encrypted secrets of all apps within one transaction of ``PurchaseStorage/writeSecrets(_:)``.
public protocol SharedSecretRecords {
    /// Returns the apps with secrets, including apps that are not configured, sorted.
    func apps() throws -> [BundleID]

    /// Returns the secrets of an app.
    func secrets(of app: BundleID) -> any SecretRecords
}

extension SQLiteSchema {
    static let secretTables = """
        CREATE TABLE secret (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT;
        """
}

extension PostgresSchema {
    static let secretTables = """
        CREATE TABLE secret (
            app TEXT COLLATE "C" NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            value BYTEA NOT NULL,
            PRIMARY KEY (app, name)
        );
        """
}

extension SQLTransaction {
    private static let putSecret = upsert(
        "secret", key: ["app", "name"],
        ["value"])

    package func secret(_ name: String) throws -> Data? {
        try first("SELECT value FROM secret WHERE app = ?1 AND name = ?", name) { try $0["value"] }
    }

    package func secretNames() throws -> [String] {
        try all("SELECT name FROM secret WHERE app = ?1 ORDER BY name") { try $0["name"] }
    }

    package func put(_ secret: Data, named name: String) throws {
        try execute(
            Self.putSecret, name, secret)
    }

    package func removeSecret(_ name: String) throws { try execute("DELETE FROM secret WHERE app = ?1 AND name = ?", name) }
}

/// Reads and writes the secrets of all apps within one transaction of a SQL database.
struct SQLSecretRecords: SharedSecretRecords {
    let connection: any SQLConnection

    /// Locks the secrets until the end of the transaction.
    ///
    /// The lock is a row that no other statement reads or writes. In PostgreSQL, a transaction that has waited for the row fails with a
    /// conflict, and runs again. A lock of the key file alone would not order writes of the secrets, which are in the database.
    init(locking connection: any SQLConnection) throws {
        self.connection = connection
        try connection.execute(
            """
            INSERT INTO probe (app, partition, number) VALUES ('', 1, 1)
            ON CONFLICT (app, partition) DO UPDATE SET number = probe.number + 1
            """, [])
    }

    func apps() throws -> [BundleID] {
        try connection.query("SELECT DISTINCT app FROM secret ORDER BY app", [], limit: .max) { BundleID(try $0["app"] as String) }
    }

    func secrets(of app: BundleID) -> any SecretRecords { SQLTransaction(app: app, connection: connection) }
}
