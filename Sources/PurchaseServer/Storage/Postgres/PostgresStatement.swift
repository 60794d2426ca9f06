import Synchronization

/// Translates statements to PostgreSQL's form of parameters.
enum PostgresStatement {
    private static let translated = Mutex<[String: String]>([:])

    /// Returns a statement with `$1` in place of `?1`, and in place of `?` with the number after the greatest one before it, as in SQLite.
    ///
    /// Texts in the statement contain no question marks. The number of different statements is small, so that all are kept.
    static func text(_ sql: String) -> String {
        if let known = translated.withLock({ $0[sql] }) { return known }
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
        translated.withLock { $0[sql] = text }
        return text
    }
}
