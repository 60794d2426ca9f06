import PurchaseStorage

/// Compares a table of two databases row by row, in the order of its primary key.
struct CopyComparison {
    /// The rows of one database that were read and not yet compared.
    private struct Cursor {
        let table: CopyTable
        let database: any CopyDatabase
        var rows: ArraySlice<[SQLValue]> = []
        private var last: [SQLValue]?
        private(set) var isAtEnd = false

        init(_ table: CopyTable, _ database: any CopyDatabase) {
            (self.table, self.database) = (table, database)
        }

        /// Whether the next row must be read.
        var isExhausted: Bool { rows.isEmpty && !isAtEnd }

        mutating func read() async throws {
            guard isExhausted else { return }
            rows = try await table.page(after: last, of: database)[...]
            if let row = rows.last { last = table.key(of: row) } else { isAtEnd = true }
        }
    }

    /// The databases that have the row with the next key.
    private enum Owner {
        case source, destination, both
    }

    private let table: CopyTable
    private var source: Cursor
    private var destination: Cursor

    init(_ table: CopyTable, of source: any CopyDatabase, with destination: any CopyDatabase) {
        self.table = table
        (self.source, self.destination) = (Cursor(table, source), Cursor(table, destination))
    }

    /// Compares the rows up to the end of a page; returns nil at the end of the table.
    ///
    /// - Returns: The number of rows of the source that were compared, and the differences.
    mutating func next() async throws -> (rows: Int64, differences: [CopyDifference])? {
        try await source.read()
        try await destination.read()
        guard !source.isAtEnd || !destination.isAtEnd else { return nil }
        var (count, differences): (Int64, [CopyDifference]) = (0, [])
        while !source.isExhausted, !destination.isExhausted, !source.isAtEnd || !destination.isAtEnd {
            let (row, other) = (source.rows.first, destination.rows.first)
            switch Self.first(of: row.map(table.key), other.map(table.key)) {
            case .source:
                differences.append(difference(.missing, row ?? []))
                source.rows.removeFirst()
                count += 1
            case .destination:
                differences.append(difference(.unexpected, other ?? []))
                destination.rows.removeFirst()
            case .both:
                let columns = zip(table.columns, zip(row ?? [], other ?? [])).filter { !$0.1.0.isIdentical(to: $0.1.1) }.map(\.0.name)
                if !columns.isEmpty { differences.append(difference(.changed, row ?? [], columns)) }
                source.rows.removeFirst()
                destination.rows.removeFirst()
                count += 1
            }
        }
        return (count, differences)
    }

    /// Returns the database with the smaller of two keys, or both databases for equal keys; a nil key is the end of the table.
    private static func first(of key: [SQLValue]?, _ other: [SQLValue]?) -> Owner {
        guard let key else { return .destination }
        guard let other else { return .source }
        for (value, match) in zip(key, other) {
            if value.isOrdered(before: match) { return .source }
            if match.isOrdered(before: value) { return .destination }
        }
        return .both
    }

    private func difference(_ kind: CopyDifference.Kind, _ row: [SQLValue], _ columns: [String] = []) -> CopyDifference {
        CopyDifference(table: table.name, key: table.key(of: row).map(\.reported), kind: kind, columns: columns)
    }
}
