public import PurchaseModel

/// Reads and writes the products that were added to an app's catalog through the API, within one database transaction.
public protocol CatalogRecords {
    /// Returns a number that each change of the products increases.
    func catalogRevision() throws -> Int64

    /// Returns the products that were added through the API, ordered by identifier.
    func products() throws -> [ServerProduct]

    /// Inserts or replaces a product.
    func put(_ product: ServerProduct) throws

    /// Removes a product, and returns whether it existed.
    func removeProduct(_ id: ProductID) throws -> Bool

    /// Returns the products that a server last read from the app's files, and the retained products that the files no longer list, ordered
    /// by identifier.
    func fileProducts() throws -> [ServerProduct]

    /// Replaces the products of the app's files.
    func setFileProducts(_ products: [ServerProduct]) throws
}

extension SQLiteSchema {
    static let catalogTables = """
        CREATE TABLE catalog_product (
            app TEXT NOT NULL,
            product TEXT NOT NULL,
            definition TEXT NOT NULL,
            PRIMARY KEY (app, product)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE catalog_revision (
            app TEXT NOT NULL PRIMARY KEY,
            revision INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let fileProductTables = """
        CREATE TABLE catalog_file_product (
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            definition TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, product)
        );
        """

    static let catalogTables = """
        CREATE TABLE catalog_product (
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            definition TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, product)
        );

        CREATE TABLE catalog_revision (
            app TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            revision BIGINT NOT NULL
        );
        """
}

extension SQLiteSchema {
    static let fileProductTables = """
        CREATE TABLE catalog_file_product (
            app TEXT NOT NULL,
            product TEXT NOT NULL,
            definition TEXT NOT NULL,
            PRIMARY KEY (app, product)
        ) STRICT, WITHOUT ROWID;
        """
}

extension SQLTransaction {
    private static let putFileProduct = upsert(
        "catalog_file_product", key: ["app", "product"],
        ["definition"])

    private static let putCatalogProduct = upsert(
        "catalog_product", key: ["app", "product"],
        ["definition"])

    package func catalogRevision() throws -> Int64 {
        try first("SELECT revision FROM catalog_revision WHERE app = ?1") { try $0["revision"] } ?? 0
    }

    package func products() throws -> [ServerProduct] {
        try all("SELECT definition FROM catalog_product WHERE app = ?1 ORDER BY product") { try value(try $0["definition"]) }
    }

    package func put(_ product: ServerProduct) throws {
        try execute(
            Self.putCatalogProduct, product.id.rawValue, try json(product))
        try increaseCatalogRevision()
    }

    package func removeProduct(_ id: ProductID) throws -> Bool {
        guard try changes("DELETE FROM catalog_product WHERE app = ?1 AND product = ?", id.rawValue) > 0 else { return false }
        try increaseCatalogRevision()
        return true
    }

    package func fileProducts() throws -> [ServerProduct] {
        try all("SELECT definition FROM catalog_file_product WHERE app = ?1 ORDER BY product") { try value(try $0["definition"]) }
    }

    package func setFileProducts(_ products: [ServerProduct]) throws {
        var rest = Dictionary(try fileProducts().map { ($0.id, $0) }) { first, _ in first }
        for product in products where rest.removeValue(forKey: product.id) != product {
            try execute(Self.putFileProduct, product.id.rawValue, try json(product))
        }
        for id in rest.keys.sorted() {
            try execute("DELETE FROM catalog_file_product WHERE app = ?1 AND product = ?", id.rawValue)
        }
    }

    private func increaseCatalogRevision() throws {
        try execute(
            "INSERT INTO catalog_revision (app, revision) VALUES (?1, 1) ON CONFLICT (app) DO UPDATE SET revision = catalog_revision.revision + 1"
        )
    }
}
