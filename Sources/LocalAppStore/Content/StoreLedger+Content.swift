import Crypto
import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The maximum size of a product's hosted content, in bytes.
    static let contentLimit = 16 << 20

    /// Saves the hosted content of a product, and replaces earlier content.
    ///
    /// - Parameter version: The version of the content: integers separated by periods, such as `1.0`.
    func setContent(_ data: Data, version: String, of product: ProductID, in bundleID: BundleID) async throws {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard version.utf8.count <= 32, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            throw StoreError.invalidValue(field: "version")
        }
        let app = try apps.require(bundleID)
        guard app.catalog.product(product) != nil else { throw StoreError.productUnknown }
        guard !data.isEmpty else { throw StoreError.contentEmpty }
        let hash = Hexadecimal.encode(SHA256.hash(data: data))
        try await write { db, _ in
            let sql = "INSERT OR REPLACE INTO contents (bundleID, productID, sha256, data, version) VALUES (?, ?, ?, ?, ?)"
            let arguments: StatementArguments = [bundleID.rawValue, product.rawValue, hash, data, version]
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
        }
    }

    /// Removes the hosted content of a product; the call has no effect if there is none.
    func removeContent(of product: ProductID, in bundleID: BundleID) async throws {
        let app = try apps.require(bundleID)
        guard app.catalog.product(product) != nil else { throw StoreError.productUnknown }
        try await write { db, _ in
            let sql = "DELETE FROM contents WHERE bundleID = ? AND productID = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [bundleID.rawValue, product.rawValue])
        }
    }

    /// Returns the description of the hosted content for a transaction of a device's account and app.
    ///
    /// - Throws: ``StoreError/contentRevoked`` if the transaction is refunded or revoked, or ``StoreError/contentUnknown`` if the product
    ///   has no hosted content.
    func content(of id: TransactionID, for session: SessionRecord) async throws -> ContentRecord {
        try await read { db in
            guard let row = try TransactionRecord.find(id, db), row.account == session.account, row.bundleID == session.bundleID else {
                throw StoreError.transactionUnknown
            }
            guard row.revokedAt == nil else { throw StoreError.contentRevoked }
            guard let content = try content(of: row.productID, in: row.bundleID, db) else { throw StoreError.contentUnknown }
            return content
        }
    }

    /// Returns the description of a product's hosted content; nil if the product has none.
    func content(of product: ProductID, in bundleID: BundleID, _ db: Database) throws -> ContentRecord? {
        let sql = "\(Self.contentSQL) WHERE bundleID = ? AND productID = ?"
        return try ContentRecord.fetchOne(db.cachedStatement(sql: sql), arguments: [bundleID.rawValue, product.rawValue])
    }

    /// Returns the descriptions of the hosted content of an app's products, as the device API returns them.
    func contents(in bundleID: BundleID, _ db: Database) throws -> [ProductID: HostedContent] {
        let sql = "\(Self.contentSQL) WHERE bundleID = ?"
        let rows = try ContentRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [bundleID.rawValue])
        return Dictionary(rows.map { ($0.productID, $0.description) }) { first, _ in first }
    }

    private static let contentSQL = "SELECT bundleID, productID, sha256, version, length(data) AS length FROM contents"

    /// Returns a range of the bytes of a product's hosted content; nil if the content has been replaced or removed.
    func bytes(of content: ContentRecord, _ range: Range<Int64>) async throws -> Data? {
        try await read { db in
            let sql = "SELECT substr(data, ?, ?) FROM contents WHERE bundleID = ? AND productID = ? AND sha256 = ?"
            let arguments: StatementArguments = [
                range.lowerBound + 1, range.count, content.bundleID.rawValue, content.productID.rawValue, content.sha256,
            ]
            return try Data.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
        }
    }
}
