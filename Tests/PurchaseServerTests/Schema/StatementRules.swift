/// The rule that a statement states the app and the distribution column of each of its tables, so that a database of several nodes executes it
/// on one of them.
enum StatementRules {
    /// The reason why a statement can't state the column.
    enum Reason: String, CaseIterable {
        /// The rows of an app are few, and are read together: names of secrets, API keys, the catalog, versions of content, and the last refusals.
        case fewRows
        /// An operator reads the latest rows of an app, or adds up the ledger.
        case operatorCommand
        /// A merge or a deletion finds what a customer has by an index: customers, aliases and tokens.
        case customerChange
        /// A rebuild reads the keys of all rows of an app, page by page.
        case rebuild
        /// The rows that are due are read by their date, from all partitions.
        case queue
        /// Expired rows are removed by their date.
        case expiry
    }

    /// The beginnings of the statements that don't state the column.
    static let exceptions: [(beginning: String, reason: Reason)] = []

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
