/// The rule that a statement states the app and the distribution column of each of its tables, so that a database of several nodes executes it
/// on one of them.
enum StatementRules {
    /// The reason why a statement can't state the column.
    enum Reason {
        /// The rows of an app are few, and are read together.
        case fewRows
        /// A rotation of the key of the secrets concerns all apps.
        case rotation
        /// An operator reads the latest rows of an app, or adds up the ledger.
        case operatorCommand
        /// A table that is read by a secret or an alias is changed for a customer: by a merge, a deletion, or a new token that replaces the oldest.
        case customerChange
        /// A rebuild counts the rows of an app, and reads their keys page by page.
        case rebuild
        /// The comparison of all customers with their events reads the customers page by page.
        case comparison
        /// Rows are removed by their date.
        case expiry
        /// A notification of the App Store names a claim, and need not name the purchase.
        case notification
    }

    /// The beginnings of the statements that don't state the column.
    static let exceptions: [(beginning: String, reason: Reason)] = [
        ("SELECT name FROM secret WHERE app = ?1", .fewRows),
        ("SELECT DISTINCT app FROM secret ORDER BY app", .rotation),
        ("SELECT * FROM api_key WHERE app = ?1 ORDER BY created_at", .fewRows),
        ("SELECT definition FROM catalog_product WHERE app = ?1", .fewRows),
        ("SELECT definition FROM catalog_file_product WHERE app = ?1", .fewRows),
        ("SELECT * FROM content_version WHERE app = ?1 ORDER BY product", .fewRows),
        ("SELECT coalesce(max(number), 0) AS number FROM refused_notification WHERE app = ?1", .fewRows),
        ("SELECT date, code, message, size, head FROM refused_notification WHERE app = ?1", .fewRows),
        ("SELECT coalesce(max(number), 0) AS number FROM verify_receipt_comparison WHERE app = ?1", .fewRows),
        ("SELECT comparison FROM verify_receipt_comparison WHERE app = ?1", .fewRows),
        ("SELECT event FROM transaction_version WHERE app = ?1 ORDER BY purchase_date DESC", .operatorCommand),
        (
            "SELECT uuid, kind, signed_date, received_at, has_transaction, signed_notification FROM notification WHERE app = ?1 ORDER BY",
            .operatorCommand
        ),
        ("SELECT uuid FROM unknown_notification WHERE app = ?1 ORDER BY", .operatorCommand),
        (
            "SELECT uuid, kind, signed_date, received_at, has_transaction, signed_notification FROM notification WHERE app = ?1 AND (signed_date",
            .operatorCommand
        ),
        ("SELECT currency, account, sum(amount) AS amount FROM ledger_entry WHERE app = ?1 GROUP BY", .operatorCommand),
        ("SELECT customer FROM customer WHERE app = ?1 AND merged_into = ?", .customerChange),
        ("SELECT alias FROM customer_alias WHERE app = ?1 AND customer = ?", .customerChange),
        ("DELETE FROM customer_merge WHERE app = ?1 AND merged = ?", .customerChange),
        ("SELECT digest FROM customer_token WHERE app = ?1 AND customer = ?", .customerChange),
        ("DELETE FROM customer_token WHERE app = ?1 AND digest IN ( SELECT digest FROM customer_token", .customerChange),
        ("UPDATE customer_token SET customer = ?2 WHERE app = ?1 AND customer = ?3", .customerChange),
        ("DELETE FROM customer_token WHERE app = ?1 AND customer = ?", .customerChange),
        ("SELECT count(*) AS number FROM", .rebuild),
        ("SELECT original_transaction_id FROM ( SELECT DISTINCT original_transaction_id FROM signed_event", .rebuild),
        ("SELECT customer, currency FROM ( SELECT DISTINCT customer, currency FROM ledger_balance", .rebuild),
        ("SELECT customer, product_id, original_transaction_id FROM customer_purchase WHERE app = ?1 AND (customer > ?2", .rebuild),
        (
            "SELECT uuid, kind, signed_date, received_at, has_transaction, signed_notification FROM notification WHERE app = ?1 AND uuid >",
            .rebuild
        ),
        ("SELECT * FROM seat_claim WHERE app = ?1 AND seat_claim_id = ?", .notification),
        ("SELECT DISTINCT customer FROM customer_purchase WHERE app = ?1 AND customer > ?", .comparison),
        ("SELECT DISTINCT customer FROM entitlement_grant WHERE app = ?1 AND customer > ?", .comparison),
        ("SELECT DISTINCT customer FROM customer_seat WHERE app = ?1 AND customer > ?", .comparison),
        ("DELETE FROM download_token WHERE app = ?1 AND issued_at <= ?", .expiry),
    ]

    /// Returns what is wrong with a statement; nil if nothing is.
    static func violation(of sql: String) -> String? {
        guard !exceptions.contains(where: { text(sql).hasPrefix($0.beginning) }) else { return nil }
        for scope in StatementScope.all(in: sql) {
            for table in scope.tables {
                guard let key = DistributedTables.key(of: table.name) else { return "unknown table \(table.name): \(text(sql))" }
                for column in key where !scope.states(column, of: table) {
                    return "\(table.name) without \(column): \(text(sql))"
                }
            }
        }
        return nil
    }

    /// A statement in one line.
    static func text(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
