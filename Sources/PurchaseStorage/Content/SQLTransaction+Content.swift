import ContentStorage
package import PurchaseModel

extension SQLiteSchema {
    static let contentTables = """
        CREATE TABLE content_version (
            app TEXT NOT NULL,
            product TEXT NOT NULL,
            item TEXT NOT NULL,
            version TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            file_name TEXT NOT NULL,
            media_type TEXT NOT NULL,
            length INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            manifest TEXT NOT NULL,
            published_at INTEGER NOT NULL,
            PRIMARY KEY (app, product, item, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE download_token (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            token TEXT NOT NULL,
            PRIMARY KEY (app, customer, original_transaction_id, issued_at, token)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX download_token_by_date ON download_token (app, issued_at);
        """
}

extension PostgresSchema {
    static let contentTables = """
        CREATE TABLE content_version (
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            item TEXT COLLATE "C" NOT NULL,
            version TEXT COLLATE "C" NOT NULL,
            sequence BIGINT NOT NULL,
            file_name TEXT COLLATE "C" NOT NULL,
            media_type TEXT COLLATE "C" NOT NULL,
            length BIGINT NOT NULL,
            sha256 TEXT COLLATE "C" NOT NULL,
            manifest TEXT COLLATE "C" NOT NULL,
            published_at BIGINT NOT NULL,
            PRIMARY KEY (app, product, item, version)
        );

        CREATE TABLE download_token (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            issued_at BIGINT NOT NULL,
            token TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, customer, original_transaction_id, issued_at, token)
        );
        CREATE INDEX download_token_by_date ON download_token (app, issued_at);
        """
}

extension SQLTransaction {
    package func contentVersions(of product: ProductID) throws -> [ContentVersion] {
        try all("SELECT * FROM content_version WHERE app = ?1 AND product = ? ORDER BY sequence DESC", product.rawValue) {
            try Self.version($0)
        }
    }

    package func contentVersions() throws -> [ContentVersion] {
        try all("SELECT * FROM content_version WHERE app = ?1 ORDER BY product, sequence DESC") { try Self.version($0) }
    }

    package func insert(_ version: ContentVersion) throws {
        try execute(
            """
            INSERT INTO content_version
                (app, product, item, version, sequence, file_name, media_type, length, sha256, manifest, published_at)
            SELECT ?1, ?2, ?3, ?4, coalesce(max(sequence), 0) + 1, ?5, ?6, ?7, ?8, ?9, ?10
            FROM content_version WHERE app = ?1 AND product = ?2
            """, version.product.rawValue, version.item.rawValue, version.version.rawValue, version.fileName, version.mediaType.text,
            version.length, version.sha256.hexadecimal, version.manifest.hexadecimal, version.publishedAt.milliseconds)
    }

    package func removeContentVersion(_ version: ContentVersionName, of item: ContentItemName, in product: ProductID) throws -> Bool {
        try changes(
            "DELETE FROM content_version WHERE app = ?1 AND product = ? AND item = ? AND version = ?", product.rawValue, item.rawValue,
            version.rawValue) > 0
    }

    package func downloadTokenDates(of customer: CustomerID, for purchase: TransactionID, after date: Timestamp) throws -> [Timestamp] {
        try all(
            """
            SELECT issued_at FROM download_token
            WHERE app = ?1 AND customer = ? AND original_transaction_id = ? AND issued_at > ? ORDER BY issued_at
            """, customer.rawValue, purchase.rawValue, date.milliseconds
        ) { Timestamp(milliseconds: try $0["issued_at"]) }
    }

    package func insertDownloadToken(_ id: String, of customer: CustomerID, for purchase: TransactionID, issuedAt: Timestamp) throws {
        try execute(
            "INSERT INTO download_token (app, customer, original_transaction_id, issued_at, token) VALUES (?1, ?, ?, ?, ?)",
            customer.rawValue, purchase.rawValue, issuedAt.milliseconds, id)
    }

    package func removeDownloadTokens(issuedUntil date: Timestamp) throws {
        try execute("DELETE FROM download_token WHERE app = ?1 AND issued_at <= ?", date.milliseconds)
    }

    private static func version(_ row: any SQLRow) throws -> ContentVersion {
        guard let sha256 = ContentDigest(hexadecimal: try row["sha256"]), let manifest = ContentDigest(hexadecimal: try row["manifest"])
        else {
            throw StorageError.failed("content_version")
        }
        return ContentVersion(
            product: ProductID(try row["product"] as String), item: ContentItemName(try row["item"] as String),
            version: ContentVersionName(try row["version"] as String), fileName: try row["file_name"],
            mediaType: try MediaType(try row["media_type"]),
            length: try row["length"], sha256: sha256, manifest: manifest, publishedAt: Timestamp(milliseconds: try row["published_at"]))
    }
}
