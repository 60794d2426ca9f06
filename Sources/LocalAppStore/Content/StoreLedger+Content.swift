import Crypto
import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The maximum size of a product's hosted content, in bytes.
    static let contentLimit = 16 << 20

    /// Stores the hosted content of a product.
    ///
    /// - Parameter version: Dotted integers, such as `1.0`.
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

    /// Removes the hosted content of a product; without hosted content, the call has no effect.
    func removeContent(of product: ProductID, in bundleID: BundleID) async throws {
        let app = try apps.require(bundleID)
        guard app.catalog.product(product) != nil else { throw StoreError.productUnknown }
        try await write { db, _ in
            let sql = "DELETE FROM contents WHERE bundleID = ? AND productID = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [bundleID.rawValue, product.rawValue])
        }
    }

    /// The hosted content for a transaction of the caller that is not refunded.
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

    /// The description of a product's hosted content.
    func content(of product: ProductID, in bundleID: BundleID, _ db: Database) throws -> ContentRecord? {
        let sql = "\(Self.contentSQL) WHERE bundleID = ? AND productID = ?"
        return try ContentRecord.fetchOne(db.cachedStatement(sql: sql), arguments: [bundleID.rawValue, product.rawValue])
    }

    /// The hosted content of an app's products, in the device API's format.
    func contents(in bundleID: BundleID, _ db: Database) throws -> [ProductID: HostedContent] {
        let sql = "\(Self.contentSQL) WHERE bundleID = ?"
        let rows = try ContentRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [bundleID.rawValue])
        return Dictionary(rows.map { ($0.productID, $0.description) }) { first, _ in first }
    }

    private static let contentSQL = "SELECT bundleID, productID, sha256, version, length(data) AS length FROM contents"

    /// A range of a content's bytes; nil if the content has been replaced.
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
