import GRDB
import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// The service that lists accounts with their subscriptions, spending and newest event.
struct AccountListService: Sendable {
    let context: StoreContext

    /// Selects the accounts after a position, newest activity first.
    static let pageSQL = """
        SELECT rowid AS number, * FROM accounts WHERE (lastActivity, rowid) < (?, ?) AND (? IS NULL OR id LIKE ? ESCAPE '\\')
        ORDER BY lastActivity DESC, rowid DESC LIMIT ?
        """
    /// Selects the sum of an account's charges in each currency; `total` has no overflow, unlike `sum`, and `CAST` limits the result.
    static let spendingSQL = """
        SELECT currency, CAST(total(amount) AS INTEGER) AS amount FROM charges WHERE account = ? GROUP BY currency ORDER BY currency
        """

    /// Returns one page of accounts, newest activity first.
    ///
    /// The cost of a page depends on its accounts only. With a text, the store also reads the names of the accounts up to the page's end.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` if the pagination token is not one of the same text.
    func page(_ query: AccountQuery) async throws -> AccountsReply {
        let queryKey = "accounts \(query.text ?? "")"
        var start = PageToken.Position(first: .max, second: .max)
        if let text = query.paginationToken {
            guard let token = PageToken(text, for: queryKey) else { throw StoreError.invalidValue(field: "paginationToken") }
            start = token.position
        }
        let (rows, count) = try await context.read { [start] db in
            let pattern = query.text.map { LikePattern.containing($0) }
            let arguments: StatementArguments = [start.first, start.second, pattern, pattern, query.limit + 1]
            let rows = try Row.fetchAll(db.cachedStatement(sql: Self.pageSQL), arguments: arguments).map { row in
                (description: try description(of: row, db), position: PageToken.Position(first: row["lastActivity"], second: row["number"]))
            }
            let countSQL = "SELECT count(*) FROM accounts WHERE ? IS NULL OR id LIKE ? ESCAPE '\\'"
            return (rows, try Int.fetchOne(db.cachedStatement(sql: countSQL), arguments: [pattern, pattern]) ?? 0)
        }
        let page = rows.prefix(query.limit)
        let next = rows.count > query.limit ? page.last.map { PageToken($0.position, at: Timestamp(milliseconds: 0)) } : nil
        return AccountsReply(accounts: page.map(\.description), count: count, paginationToken: next?.text(for: queryKey))
    }

    /// Returns an account with its activity.
    ///
    /// - Throws: ``AccountError/unknown`` if the store has no such account.
    func account(_ id: AccountID) async throws -> AccountDescription {
        try await context.read { db in
            let statement = try db.cachedStatement(sql: "SELECT * FROM accounts WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]) else { throw AccountError.unknown }
            return try description(of: row, db)
        }
    }

    private func description(of row: Row, _ db: Database) throws -> AccountDescription {
        let account = try AccountRecord(row: row)
        let date: Int64 = row["lastActivity"]
        let subscriptions = try SubscriptionRecord.all(of: account.id, db).map { describe($0) }.sorted { first, second in
            first.hasAccess == second.hasAccess ? first.expiresDate > second.expiresDate : first.hasAccess
        }
        let spending = try Row.fetchAll(db.cachedStatement(sql: Self.spendingSQL), arguments: [account.id.rawValue]).map { row in
            Money(milliunits: row["amount"], currency: row["currency"])
        }
        var description = account.description
        description.activity = AccountActivity(
            subscriptions: Array(subscriptions.prefix(AccountActivity.subscriptionLimit)), spending: spending,
            lastActivityDate: date > 0 ? Timestamp(milliseconds: date) : nil)
        return description
    }

    private func describe(_ row: SubscriptionRecord) -> AccountSubscription {
        let subscription = row.subscription
        let title = context.apps[row.bundleID]?.catalog.product(subscription.productID)?.title ?? ""
        return AccountSubscription(
            originalTransactionID: row.id, bundleID: row.bundleID, productID: subscription.productID,
            title: title.isEmpty ? nil : title, status: subscription.status,
            ownership: subscription.ownership, willAutoRenew: subscription.willAutoRenew, expiresDate: subscription.paidUntil,
            nextRenewalDate: subscription.nextRenewalDate)
    }
}

extension AccountSubscription {
    fileprivate var hasAccess: Bool { status == .active || status == .gracePeriod }
}

/// Patterns of SQLite's `LIKE` with the escape character `\`.
enum LikePattern {
    /// Returns the pattern of texts that contain a text.
    static func containing(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if "\\%_".unicodeScalars.contains(scalar) { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        return "%\(escaped)%"
    }
}

extension AccountQuery {
    /// Reads the query of a request; nil if the request has no parameters of a page.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` for a value that is not allowed.
    init?(_ request: Request) throws {
        self.init()
        let limitText = try request.query("limit")
        text = try request.query("text")
        paginationToken = try request.query("paginationToken")
        guard limitText != nil || text != nil || paginationToken != nil else { return nil }
        if let limitText {
            guard let number = Int(limitText), (1...Self.limit).contains(number) else { throw StoreError.invalidValue(field: "limit") }
            limit = number
        }
        guard text?.utf8.count ?? 0 <= 200 else { throw StoreError.invalidValue(field: "text") }
    }
}
