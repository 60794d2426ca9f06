import Synchronization

/// A statement with PostgreSQL's form of parameters.
struct PostgresStatement: Sendable {
    // reason: `String` keys are safe, because all keys are statements of this program.
    private static let known = Mutex<[String: PostgresStatement]>([:])

    /// The statement with `$1` in place of `?1`; a `?` receives the number after the greatest earlier number, as in SQLite.
    let text: String
    /// Whether the statement is an `INSERT` without a condition, which writes a row or fails.
    let alwaysWrites: Bool

    /// Returns the translation of a statement.
    ///
    /// The server's statements contain no question marks in text literals. The cache has no limit, because the server has a fixed number of
    /// statements.
    static func translated(_ sql: String) -> PostgresStatement {
        if let known = known.withLock({ $0[sql] }) { return known }
        let statement = PostgresStatement(sql)
        known.withLock { $0[sql] = statement }
        return statement
    }

    private init(_ sql: String) {
        var (text, greatest) = ("", 0)
        var rest = sql[...]
        while let mark = rest.firstIndex(of: "?") {
            text += rest[..<mark]
            let digits = rest[rest.index(after: mark)...].prefix { $0.isASCII && $0.isNumber }
            let number = Int(digits) ?? greatest + 1
            greatest = max(greatest, number)
            text += "$\(number)"
            rest = rest[digits.endIndex...]
        }
        text += rest
        self.text = text
        alwaysWrites = sql.hasPrefix("INSERT") && !sql.contains("DO NOTHING") && !sql.contains("WHERE")
    }
}
