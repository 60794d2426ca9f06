import GRDB

/// A record that is inserted with a prepared statement.
///
/// GRDB's `insert` encodes the record with `Codable` and creates the SQL at each call, which takes several times as long as running the
/// statement. The records that each purchase inserts conform to this protocol.
protocol PreparedInsertion: PersistableRecord {
    /// The columns of the table, except an automatic row number.
    static var insertion: InsertStatement<Self> { get }
}

extension PreparedInsertion {
    /// Inserts the record as a row.
    func insert(_ db: Database, onConflict: Database.ConflictResolution = .abort) throws {
        let statement = Self.insertion
        let values: [(any DatabaseValueConvertible)?] = statement.columns.map { $0.value(self) }
        try db.cachedStatement(sql: "INSERT OR \(onConflict.rawValue) \(statement.target)").execute(arguments: StatementArguments(values))
    }
}

/// An SQL statement that inserts a record: the columns, each with a function that returns the record's value.
struct InsertStatement<Record: TableRecord>: Sendable {
    typealias Value = @Sendable (Record) -> (any DatabaseValueConvertible)?

    fileprivate let columns: [(name: String, value: Value)]
    fileprivate let target: String

    init(_ columns: [(name: String, value: Value)]) {
        self.columns = columns
        let names = columns.map(\.name).joined(separator: ", ")
        let placeholders = columns.map { _ in "?" }.joined(separator: ", ")
        target = "INTO \(Record.databaseTableName) (\(names)) VALUES (\(placeholders))"
    }

    /// Returns the values of a record by column.
    func values(of record: Record) -> [String: DatabaseValue] {
        Dictionary(columns.map { ($0.name, $0.value(record)?.databaseValue ?? .null) }) { first, _ in first }
    }
}
