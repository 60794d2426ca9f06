/// A part of a statement between parentheses, or a word outside of them.
private indirect enum StatementPart: Equatable {
    case word(String)
    case group([StatementPart])

    /// The word in upper case; nil for a group.
    var keyword: String? { if case .word(let text) = self { text.uppercased() } else { nil } }

    var group: [StatementPart]? { if case .group(let parts) = self { parts } else { nil } }
}

/// A `SELECT`, `INSERT`, `UPDATE` or `DELETE` of a statement, without those inside of it.
///
/// The reader knows the SQL of this server only. It takes a condition for missing rather than for present: a condition counts if it is one of
/// the conditions that `AND` connects, and states the value of a column with `=` or `IN`.
struct StatementScope {
    /// A table that the statement reads or writes.
    struct Table {
        let name: String
        let alias: String
    }

    /// The tables, without the names of `WITH`.
    private(set) var tables: [Table] = []
    /// The columns of an `INSERT`; nil for others.
    private(set) var insertedColumns: [String]?
    /// The columns whose values the conditions state, each with a table before a dot if the statement names one.
    private(set) var statedColumns: Set<String> = []

    /// Returns whether the statement states a column of a table.
    func states(_ column: String, of table: Table) -> Bool {
        if let insertedColumns { return insertedColumns.contains(column) }
        return statedColumns.contains(column) || statedColumns.contains("\(table.alias).\(column)")
    }

    /// Returns the scopes of a statement.
    static func all(in sql: String) -> [StatementScope] {
        var words = words(of: sql)[...]
        return scopes(in: parts(&words), names: [])
    }

    // MARK: Reading

    /// The words of a statement: names with their dots, numbers, texts, parameters and signs.
    private static func words(of sql: String) -> [String] {
        var words: [String] = []
        var rest = sql[...]
        while let first = rest.first {
            let end: Substring.Index
            if first == "'" {
                end = rest.dropFirst().firstIndex(of: "'").map { rest.index(after: $0) } ?? rest.endIndex
            } else if first.isLetter || first.isNumber || first == "_" || first == "?" {
                end = rest.firstIndex { !($0.isLetter || $0.isNumber || "_.?".contains($0)) } ?? rest.endIndex
            } else if "<>=!|".contains(first) {
                end = rest.firstIndex { !"<>=!|".contains($0) } ?? rest.endIndex
            } else {
                end = rest.index(after: rest.startIndex)
            }
            if !first.isWhitespace { words.append(String(rest[..<end])) }
            rest = rest[end...]
        }
        return words
    }

    private static func parts(_ words: inout ArraySlice<String>) -> [StatementPart] {
        var parts: [StatementPart] = []
        while let word = words.popFirst() {
            switch word {
            case "(": parts.append(.group(Self.parts(&words)))
            case ")": return parts
            default: parts.append(.word(word))
            }
        }
        return parts
    }

    /// Returns the scope of the parts, or of each part of a `UNION`, and the scopes inside of it.
    private static func scopes(in parts: [StatementPart], names outer: Set<String>) -> [StatementScope] {
        var names = outer
        for (word, next) in zip(parts, parts.dropFirst()) where ["WITH", "RECURSIVE"].contains(word.keyword) {
            if let name = next.keyword { names.insert(name.lowercased()) }
        }
        let inner = parts.compactMap(\.group).flatMap { scopes(in: $0, names: names) }
        guard let first = parts.first?.keyword, ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(first) else { return inner }
        let own = parts.split { $0.keyword == "UNION" }.flatMap { part -> [StatementScope] in
            // An INSERT with a SELECT reads tables, too.
            guard first == "INSERT", let select = part.firstIndex(where: { $0.keyword == "SELECT" }) else {
                return [StatementScope(Array(part), names: names)]
            }
            return [StatementScope(Array(part[..<select]), names: names), StatementScope(Array(part[select...]), names: names)]
        }
        return own + inner
    }

    private init(_ parts: [StatementPart], names: Set<String>) {
        // The tail of an INSERT concerns the inserted row.
        let parts = parts.firstIndex { $0.keyword == "CONFLICT" }.map { Array(parts[..<$0]) } ?? parts
        var conditions: [ArraySlice<StatementPart>] = []
        for (index, part) in parts.enumerated() {
            let next = parts[(index + 1)...]
            // The clause FOR UPDATE SKIP LOCKED names no table.
            if part.keyword == "UPDATE", index > 0, parts[index - 1].keyword == "FOR" { continue }
            switch part.keyword {
            case "FROM", "JOIN", "INTO", "UPDATE":
                guard case .word(let name)? = next.first, !names.contains(name) else { continue }
                tables.append(Table(name: name, alias: Self.alias(next.dropFirst()) ?? name))
                if part.keyword == "INTO" { insertedColumns = next.dropFirst().first?.group?.compactMap { $0.keyword?.lowercased() } }
            case "WHERE", "ON":
                let ends: Set<String?> = ["WHERE", "ON", "JOIN", "LEFT", "GROUP", "ORDER", "LIMIT", "FOR"]
                conditions.append(next.prefix { !ends.contains($0.keyword) || $0.keyword == nil })
            default: continue
            }
        }
        for condition in conditions { statedColumns.formUnion(Self.columns(statedBy: condition)) }
    }

    private static func alias(_ parts: ArraySlice<StatementPart>) -> String? {
        guard parts.first?.keyword == "AS", case .word(let name)? = parts.dropFirst().first else { return nil }
        return name
    }

    /// Returns the columns whose values a condition states.
    private static func columns(statedBy condition: ArraySlice<StatementPart>) -> Set<String> {
        guard !condition.contains(where: { $0.keyword == "OR" }) else { return [] }
        var columns: Set<String> = []
        for comparison in condition.split(whereSeparator: { $0.keyword == "AND" }) {
            let words = Array(comparison)
            if words.count == 1, let group = words[0].group {
                columns.formUnion(Self.columns(statedBy: group[...]))
            } else if words.count == 3, words[1] == .word("=") || words[1].keyword == "IN" {
                for case .word(let name) in words[1] == .word("=") ? [words[0], words[2]] : [words[0]] { columns.insert(name) }
            }
        }
        return columns
    }
}
