import GRDB

extension FetchableRecord where Self: TableRecord {
    /// Returns the first row of the table that has a value in a column; nil if no row has the value.
    ///
    /// The SQL statement is compiled once per connection. GRDB's `fetchOne(_:key:)` compiles the statement at each call, which takes longer
    /// than running the statement.
    static func first(_ column: String, _ value: some DatabaseValueConvertible, _ db: Database) throws -> Self? {
        let sql = "SELECT * FROM \(databaseTableName) WHERE \(column) = ? LIMIT 1"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [value])
    }
}
