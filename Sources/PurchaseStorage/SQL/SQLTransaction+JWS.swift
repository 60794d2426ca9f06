import PurchaseModel

extension SQLiteSchema {
    static let headerTables = """
        CREATE TABLE jws_header (
            app TEXT NOT NULL,
            key TEXT NOT NULL,
            header TEXT NOT NULL,
            PRIMARY KEY (app, key)
        ) STRICT;
        """
}

extension PostgresSchema {
    static let headerTables = """
        CREATE TABLE jws_header (
            app TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            header TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, key)
        );
        """
}

extension SQLTransaction {
    /// Returns the text to store for a JWS, and stores the header; see ``StoredJWS``.
    package func stored(_ compact: String) throws -> String {
        try stored(compact, StoredJWS(compact))
    }

    /// Returns the text to store for a JWS, and stores the header; `jws` is the stored form, or nil for a JWS that is stored unchanged.
    package func stored(_ compact: String, _ jws: StoredJWS?) throws -> String {
        guard let jws else { return compact }
        let insert = "INSERT INTO jws_header (app, key, header) VALUES (?1, ?, ?) ON CONFLICT DO NOTHING"
        try connection.executeOnce(insert, bound([jws.key, jws.header]))
        return jws.text
    }

    /// Restores a JWS from the text in a column.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if the header is not in the database.
    package func compact(_ stored: String) throws -> String {
        guard let key = StoredJWS.key(in: stored) else { return stored }
        let header: String? = try first("SELECT header FROM jws_header WHERE app = ?1 AND key = ?", key) { try $0["header"] }
        guard let compact = header.flatMap({ StoredJWS.restore(stored, header: $0) }) else { throw StorageError.failed("jws_header") }
        return compact
    }
}
