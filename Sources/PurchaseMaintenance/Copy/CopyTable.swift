import Foundation
import FoundationExtras
import PurchaseStorage

/// A table of a copy, as the catalogs of both databases describe it.
struct CopyTable: Hashable, Sendable {
    /// The kind of a column's values.
    enum Kind: Hashable, Sendable {
        case text, integer, boolean, bytes

        /// Creates the kind from a type of SQLite or PostgreSQL; returns nil for a type that the server's tables do not use.
        init?(_ type: String) {
            switch type.lowercased() {
            case "text": self = .text
            case "integer", "bigint": self = .integer
            case "boolean": self = .boolean
            case "blob", "bytea": self = .bytes
            default: return nil
            }
        }
    }

    /// A column of the table.
    struct Column: Hashable, Sendable {
        let name: String
        let kind: Kind
    }

    /// The limits of a page, which bound the memory of a copy for rows of any size.
    ///
    /// `size` counts the characters of texts and the bytes of binary values. A page has at least one row, of any size.
    private static let page = (rows: 500, size: 4 << 20)

    let name: String
    let columns: [Column]
    /// The names of the columns of the primary key, in the order of the key.
    let key: [String]

    /// Returns a name in quotation marks for an SQL statement.
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    // MARK: Catalogs

    /// Returns the tables of a database, by name.
    static func all(in database: any CopyDatabase) async throws -> [String: CopyTable] {
        let rows = try await database.read { connection in
            try connection.query(database.dialect.catalog, [], limit: .max) { row in
                (
                    table: try row["table_name"] as String, column: try row["column_name"] as String, type: try row["data_type"] as String,
                    keyPosition: try row["key_position"] as Int
                )
            }
        }
        return try Dictionary(grouping: rows, by: \.table).reduce(into: [:]) { tables, element in
            let (name, rows) = element
            let columns = try rows.map { row in
                guard let kind = Kind(row.type) else { throw CopyError.differentTables([name]) }
                return Column(name: row.column, kind: kind)
            }
            let key = rows.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.column)
            tables[name] = CopyTable(name: name, columns: columns, key: key)
        }
    }

    /// Returns the tables of two databases, sorted by name.
    ///
    /// SQLite stores a Boolean as an integer, so a column is a Boolean if its type is Boolean in one of the databases.
    ///
    /// - Throws: ``CopyError/differentTables(_:)`` if the databases have different tables, columns or primary keys.
    static func common(_ first: [String: CopyTable], _ second: [String: CopyTable]) throws -> [CopyTable] {
        let names = Set(first.keys).union(second.keys).sorted()
        let tables = names.map { name in first[name].flatMap { table in second[name].flatMap { table.merged(with: $0) } } }
        let different = zip(names, tables).filter { $0.1 == nil }.map(\.0)
        guard different.isEmpty else { throw CopyError.differentTables(different) }
        return tables.compactMap { $0 }
    }

    private func merged(with other: CopyTable) -> CopyTable? {
        guard key == other.key, !key.isEmpty, columns.map(\.name) == other.columns.map(\.name) else { return nil }
        var merged: [Column] = []
        for (column, match) in zip(columns, other.columns) {
            let kinds: Set = [column.kind, match.kind]
            guard kinds.count == 1 || kinds == [.integer, .boolean] else { return nil }
            merged.append(Column(name: column.name, kind: kinds.count == 1 ? column.kind : .boolean))
        }
        return CopyTable(name: name, columns: merged, key: key)
    }

    // MARK: Rows

    /// Returns the values of a row's primary key.
    func key(of row: [SQLValue]) -> [SQLValue] {
        key.compactMap { name in columns.firstIndex { $0.name == name }.map { row[$0] } }
    }

    /// Returns the rows after a key, in the order of the primary key; an empty page is the end of the table.
    func page(after last: [SQLValue]?, of database: any CopyDatabase) async throws -> [[SQLValue]] {
        let dialect = database.dialect
        return try await database.read { connection in
            let lengths = columns.filter { [.text, .bytes].contains($0.kind) }.map { "coalesce(length(\(Self.quoted($0.name))), 0)" }
            var (size, count) = (0, 0)
            let sizes: [Int] = try connection.query(
                selecting("\((["0"] + lengths).joined(separator: " + ")) AS size", after: last),
                (last ?? []) + [.integer(Int64(Self.page.rows))],
                limit: .max
            ) { try $0["size"] }
            for row in sizes {
                size += row
                if count > 0, size > Self.page.size { break }
                count += 1
            }
            let statement = selection(in: dialect, after: last)
            return try connection.query(statement, (last ?? []) + [.integer(Int64(count))], limit: .max) { row in
                try columns.map { column in
                    guard let value = try dialect.value(column, of: row) else {
                        throw CopyError.unreadable(table: name, column: column.name)
                    }
                    return value
                }
            }
        }
    }

    /// Returns the statement that selects the page after a key.
    func selection(in dialect: CopyDialect, after last: [SQLValue]?) -> String {
        selecting(columns.map { dialect.selection($0) }.joined(separator: ", "), after: last)
    }

    private func selecting(_ selections: String, after last: [SQLValue]?) -> String {
        // Qualify the columns of the key with the table: without the table, ORDER BY would sort by the selected expression of this name,
        // which has no index.
        let key = key.map { "\(Self.quoted(name)).\(Self.quoted($0))" }.joined(separator: ", ")
        let places = self.key.map { _ in "?" }.joined(separator: ", ")
        let condition = last == nil ? "" : "WHERE (\(key)) > (\(places)) "
        return "SELECT \(selections) FROM \(Self.quoted(name)) \(condition)ORDER BY \(key) LIMIT ?"
    }

    /// The statement that inserts a row, or replaces the row with the same key.
    var insertion: String {
        let names = columns.map { Self.quoted($0.name) }
        let others = columns.map(\.name).filter { !key.contains($0) }.map(Self.quoted)
        let changes = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(Self.quoted(name)) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (\(key.map(Self.quoted).joined(separator: ", "))) DO \(changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes)")
            """
    }

    /// Returns the number of rows.
    func count(in connection: any SQLConnection) throws -> Int64 {
        try connection.query("SELECT count(*) AS number FROM \(Self.quoted(name))", [], limit: 1) { try $0["number"] }.first ?? 0
    }

    /// Returns whether the table has a row of an app; a table of a new database may contain a row without an app.
    func hasRows(in connection: any SQLConnection) throws -> Bool {
        try !connection.query("SELECT 1 AS found FROM \(Self.quoted(name)) WHERE app <> '' LIMIT 1", [], limit: 1) { _ in true }.isEmpty
    }
}

extension SQLValue {
    /// Returns whether the value precedes another value in the order of both databases, which compare texts by their bytes.
    ///
    /// Swift compares texts by their characters, so texts with different bytes can be equal in Swift.
    func isOrdered(before other: SQLValue) -> Bool {
        switch (self, other) {
        case (.text(let text), .text(let other)): text.utf8.lexicographicallyPrecedes(other.utf8)
        case (.bytes(let bytes), .bytes(let other)): bytes.lexicographicallyPrecedes(other)
        case (.integer(let number), .integer(let other)): number < other
        case (.boolean(let flag), .boolean(let other)): !flag && other
        case (.null, .null): false
        case (.null, _): true
        default: false
        }
    }

    /// Returns whether the value has the same bytes as another value.
    func isIdentical(to other: SQLValue) -> Bool {
        if case (.text(let text), .text(let other)) = (self, other) { return text.utf8.elementsEqual(other.utf8) }
        return self == other
    }

    /// The value as text in a report.
    var reported: String {
        switch self {
        case .null: "NULL"
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .bytes(let data): Hexadecimal.encode(data)
        }
    }
}
