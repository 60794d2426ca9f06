import Crypto
import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The most bytes of one product's content.
    static let contentLimit = 16 << 20

    /// Keeps the content of a product that the store hosts; no bytes remove it.
    func setContent(_ data: Data, of product: ProductID, in bundleID: BundleID) async throws {
        let app = try apps.require(bundleID)
        guard app.catalogue.product(product) != nil else { throw StoreError.productUnknown }
        let key: StatementArguments = [bundleID.rawValue, product.rawValue]
        let hash = SHA256.hash(data: data).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0\(text)" : text
        }
        try await write { db, _ in
            guard !data.isEmpty else {
                return try db.cachedStatement(sql: "DELETE FROM contents WHERE bundleID = ? AND productID = ?").execute(arguments: key)
            }
            let sql = "INSERT OR REPLACE INTO contents (bundleID, productID, sha256, data) VALUES (?, ?, ?, ?)"
            try db.cachedStatement(sql: sql).execute(arguments: key + [hash.joined(), data])
        }
    }

    /// The content behind a transaction of the caller's that was not refunded.
    func content(of id: TransactionID, for session: SessionRow) async throws -> ContentRow {
        try await read { db in
            guard let row = try TransactionRow.find(id, db), row.account == session.account, row.bundleID == session.bundleID else {
                throw StoreError.transactionUnknown
            }
            guard row.revokedAt == nil else { throw StoreError.contentRevoked }
            let sql = "SELECT bundleID, productID, sha256, length(data) AS length FROM contents WHERE bundleID = ? AND productID = ?"
            guard
                let content = try ContentRow.fetchOne(
                    db.cachedStatement(sql: sql), arguments: [row.bundleID.rawValue, row.productID.rawValue])
            else {
                throw StoreError.contentUnknown
            }
            return content
        }
    }

    /// Some bytes of a content, unless it was replaced meanwhile.
    func bytes(of content: ContentRow, _ range: Range<Int64>) async throws -> Data? {
        try await read { db in
            let sql = "SELECT substr(data, ?, ?) FROM contents WHERE bundleID = ? AND productID = ? AND sha256 = ?"
            let arguments: StatementArguments = [
                range.lowerBound + 1, range.count, content.bundleID.rawValue, content.productID.rawValue, content.sha256,
            ]
            return try Data.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
        }
    }
}
