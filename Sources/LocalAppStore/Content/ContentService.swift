import Crypto
import Foundation
import FoundationExtras
import GRDB
import PurchaseModel

/// The service that keeps the content that the store hosts for products.
struct ContentService: Sendable {
    let context: StoreContext

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
        let app = try context.apps.require(bundleID)
        guard app.catalog.product(product) != nil else { throw AppError.productUnknown }
        guard !data.isEmpty else { throw HostedContentError.empty }
        let hash = Hexadecimal.encode(SHA256.hash(data: data))
        try await context.transaction { db, _ in
            let sql = "INSERT OR REPLACE INTO contents (bundleID, productID, sha256, data, version) VALUES (?, ?, ?, ?, ?)"
            let arguments: StatementArguments = [bundleID.rawValue, product.rawValue, hash, data, version]
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
        }
    }

    /// Removes the hosted content of a product; the call has no effect if there is none.
    func removeContent(of product: ProductID, in bundleID: BundleID) async throws {
        let app = try context.apps.require(bundleID)
        guard app.catalog.product(product) != nil else { throw AppError.productUnknown }
        try await context.transaction { db, _ in
            let sql = "DELETE FROM contents WHERE bundleID = ? AND productID = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [bundleID.rawValue, product.rawValue])
        }
    }

    /// Returns the description of the hosted content for a transaction of a device's account and app.
    ///
    /// - Throws: ``HostedContentError/revoked`` if the transaction is refunded or revoked, or ``HostedContentError/unknown`` if the product
    ///   has no hosted content.
    func content(of id: TransactionID, for session: SessionRecord) async throws -> ContentRecord {
        try await context.read { db in
            guard let row = try TransactionRecord.find(id, db), row.account == session.account, row.bundleID == session.bundleID else {
                throw StoreError.transactionUnknown
            }
            guard row.revokedAt == nil else { throw HostedContentError.revoked }
            guard let content = try content(of: row.productID, in: row.bundleID, db) else { throw HostedContentError.unknown }
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
        try await context.read { db in
            let sql = "SELECT substr(data, ?, ?) FROM contents WHERE bundleID = ? AND productID = ? AND sha256 = ?"
            let arguments: StatementArguments = [
                range.lowerBound + 1, range.count, content.bundleID.rawValue, content.productID.rawValue, content.sha256,
            ]
            return try Data.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
        }
    }
}
