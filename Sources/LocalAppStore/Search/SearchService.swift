import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that finds accounts, transactions, notifications, products and requests for a text.
///
/// Identifiers are looked up in indexes. Only the names of accounts and products are compared one by one.
struct SearchService: Sendable {
    let context: StoreContext
    let requestLog: RequestLog

    /// The maximum number of results of one kind of match, so that a frequent match leaves space for others.
    private static let matchLimit = 6
    /// The maximum number of accounts whose names contain the text.
    private static let accountLimit = 12

    /// Selects the newest transactions with a value in a column.
    static func lookupSQL(_ column: String) -> String { "SELECT * FROM transactions WHERE \(column) = ? ORDER BY rowid DESC LIMIT ?" }

    /// Returns the results for a text: exact identifiers first, then accounts and products that contain the text.
    func results(for text: String) async throws -> [SearchResult] {
        guard !text.isEmpty else { return [] }
        var results = try await context.read { db in
            try transactions(text, db) + notifications(text, db) + accounts(withAppTransactionID: text, db)
        }
        results += requests(text)
        results += try await context.read { db in try accounts(containing: text, db) }
        results += products(text)
        var found: Set<OpaqueText> = []
        return results.filter { found.insert(OpaqueText("\($0.kind) \($0.bundleID?.rawValue ?? "") \($0.id)")).inserted }
    }

    private func transactions(_ text: String, _ db: Database) throws -> [SearchResult] {
        let lookups: [(SearchResult.Match, column: String, value: String)] = [
            (.transactionID, "id", text), (.originalTransactionID, "originalID", text), (.orderID, "orderID", text.uppercased()),
            (.webOrderLineItemID, "webOrderLineItemID", text),
        ]
        return try lookups.flatMap { match, column, value in
            let rows = try TransactionRecord.fetchAll(db.cachedStatement(sql: Self.lookupSQL(column)), arguments: [value, Self.matchLimit])
            return rows.map { row in
                SearchResult(
                    .transaction, id: row.id.rawValue, match: match, title: title(of: row.productID, in: row.bundleID),
                    account: row.account, bundleID: row.bundleID, date: row.purchaseDate)
            }
        }
    }

    /// The beginning of a UUID, of at least four characters, finds notifications too, because logs and pages shorten UUIDs.
    private func notifications(_ text: String, _ db: Database) throws -> [SearchResult] {
        let start = text.lowercased()
        guard (4...36).contains(start.utf8.count), start.utf8.allSatisfy({ "0123456789abcdef-".utf8.contains($0) }) else { return [] }
        // "g" follows all characters of a UUID.
        let sql = "SELECT * FROM notifications WHERE uuid >= ? AND uuid < ? ORDER BY uuid LIMIT ?"
        let rows = try NotificationRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [start, start + "g", Self.matchLimit])
        return rows.map { row in
            SearchResult(
                .notification, id: row.uuid, match: .notificationUUID, title: row.title, account: row.account, bundleID: row.bundleID,
                date: row.signedDate)
        }
    }

    private func accounts(withAppTransactionID text: String, _ db: Database) throws -> [SearchResult] {
        let sql = "SELECT account FROM downloads WHERE id = ?"
        return try String.fetchAll(db.cachedStatement(sql: sql), arguments: [text]).map {
            SearchResult(.account, id: $0, match: .appTransactionID)
        }
    }

    /// Returns the account with a name, then the accounts whose names contain the text, newest activity first.
    private func accounts(containing text: String, _ db: Database) throws -> [SearchResult] {
        let exact = try AccountRecord.first("id", text, db).map { [$0.id.rawValue] } ?? []
        let sql = "SELECT id FROM accounts WHERE id LIKE ? ESCAPE '\\' ORDER BY lastActivity DESC, rowid DESC LIMIT ?"
        let similar = try String.fetchAll(
            db.cachedStatement(sql: sql), arguments: [LikePattern.containing(text), Self.accountLimit])
        return (exact + similar).map { SearchResult(.account, id: $0, match: .account) }
    }

    private func products(_ text: String) -> [SearchResult] {
        var results: [SearchResult] = []
        for app in context.apps.all {
            for product in app.catalog.products {
                guard results.count < Self.matchLimit else { return results }
                let hasID = product.id.rawValue.range(of: text, options: .caseInsensitive) != nil
                guard hasID || product.title.range(of: text, options: .caseInsensitive) != nil else { continue }
                results.append(
                    SearchResult(
                        .product, id: product.id.rawValue, match: hasID ? .productID : .title, title: product.title,
                        bundleID: app.bundleID))
            }
        }
        return results
    }

    /// Returns the request with a number, such as `12` or `#12`.
    private func requests(_ text: String) -> [SearchResult] {
        let number = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard let id = Int64(number), let request = requestLog.request(id)?.summary else { return [] }
        let result = SearchResult(
            .request, id: "\(request.id)", match: .request, title: "\(request.method) \(request.path)", account: request.account,
            date: request.date)
        return [result]
    }

    private func title(of product: ProductID, in app: BundleID) -> String {
        let title = context.apps[app]?.catalog.product(product)?.title ?? ""
        return title.isEmpty ? product.rawValue : title
    }
}
